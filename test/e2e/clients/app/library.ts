import { Injectable } from '@nestjs/common';
import { McpArg, McpCompletion, McpPrompt, McpResource, McpResourceTemplate, McpTool } from 'nestjs-mcp';

const TOPICS = ['tides', 'timber', 'trains'];

/** One of each kind of entry: what a client can do without being asked anything. */
@Injectable()
export class Library {
  @McpTool({ description: 'Joins two words', mode: 'read-only' })
  join(@McpArg('left') left: string, @McpArg('right') right: string): string {
    return left + right;
  }

  @McpTool({
    description: 'A volume by its number',
    input: { type: 'object', properties: { number: { type: 'integer', minimum: 1 } }, required: ['number'] },
    output: {
      type: 'object',
      properties: { title: { type: 'string' }, pages: { type: 'integer' } },
      required: ['title', 'pages'],
    },
  })
  volume({ number }: { number: number }): object {
    return { title: `Volume ${number}`, pages: number * 100 };
  }

  @McpResource({ uri: 'library://rules', mimeType: 'text/plain' })
  rules(): string {
    return 'Silence, please';
  }

  @McpResourceTemplate({ uriTemplate: 'library://shelf/{topic}', mimeType: 'application/json' })
  shelf({ topic }: { topic: string }): object {
    return { topic, books: topic.length };
  }

  @McpPrompt({ description: 'A month of reading' })
  plan(@McpArg('topic') topic: string): string {
    return `Plan a month of ${topic}`;
  }

  @McpCompletion({ prompt: 'plan', argument: 'topic' })
  planTopic(value: string): string[] {
    return TOPICS.filter((topic) => topic.startsWith(value));
  }

  @McpCompletion({ uriTemplate: 'library://shelf/{topic}', argument: 'topic' })
  shelfTopic(value: string): string[] {
    return TOPICS.filter((topic) => topic.endsWith(value));
  }
}
