import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpCtx, McpPrompt, type PromptMessage } from 'nestjs-mcp';
import { PNG } from './media.js';

function userText(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}

@Injectable()
export class Prompts {
  @McpPrompt({ description: 'Greets by name' })
  greet(@McpArg('name') name: string): string {
    return `Say hello to ${name}.`;
  }

  @McpPrompt({ name: 'test_simple_prompt', description: 'A prompt without arguments' })
  simple(): string {
    return 'This is a simple prompt for testing.';
  }

  @McpPrompt({ name: 'test_prompt_with_arguments', description: 'A prompt with two arguments' })
  withArguments(@McpArg('arg1') arg1: string, @McpArg('arg2') arg2: string): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @McpPrompt({ name: 'test_prompt_with_embedded_resource', description: 'A prompt with a resource in it' })
  withEmbeddedResource(@McpArg('resourceUri') uri: string): readonly PromptMessage[] {
    return [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      userText('Please process the embedded resource above.'),
    ];
  }

  @McpPrompt({ name: 'test_prompt_with_image', description: 'A prompt with an image in it' })
  withImage(): readonly PromptMessage[] {
    return [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      userText('Please analyze the image above.'),
    ];
  }

  @McpPrompt({ name: 'test_input_required_result_prompt', description: 'A prompt that asks first' })
  async asking(@McpCtx() context: McpContext): Promise<string> {
    const outcome = await context.elicit<{ context: string }>({
      key: 'user_context',
      message: 'What is this about?',
      schema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
    });
    return `The context: ${outcome.action === 'accept' ? outcome.content.context : 'none'}`;
  }
}
