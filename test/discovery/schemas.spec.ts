import { Injectable } from '@nestjs/common';
import { IsInt, IsString, Min } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { McpArg } from '../../src/decorators/mcp-arg.js';
import { McpPrompt } from '../../src/decorators/mcp-prompt.js';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import type { Definition, PromptDefinition, ToolDefinition } from '../../src/protocol/catalog/entries.js';
import { explore } from './explore.js';

class Search {
  @IsString()
  readonly text!: string;

  @IsInt()
  @Min(1)
  readonly limit!: number;
}

@Injectable()
class Tools {
  @McpTool()
  none(): void {}

  @McpTool()
  picked(
    @McpArg('place', { description: 'Where' }) place: string,
    @McpArg('days', { schema: { type: 'integer', minimum: 1 } }) days = 1,
    @McpArg('metric') metric: boolean = true,
  ): unknown[] {
    return [place, days, metric];
  }

  @McpTool({ input: Search, output: z.object({ hits: z.number() }) })
  search({ limit }: Search): { hits: number } {
    return { hits: limit };
  }

  @McpPrompt()
  ask(@McpArg('place', { title: 'Place' }) place: string, @McpArg('when') when = 'now'): string {
    return `${place} ${when}`;
  }

  @McpPrompt({ input: z.object({ topic: z.string().describe('About') }) })
  write({ topic }: { topic: string }): string {
    return topic;
  }
}

function tool(definition: Definition): ToolDefinition {
  if (definition.kind !== 'tool') throw new Error('not a tool');
  return definition;
}

function prompt(definition: Definition): PromptDefinition {
  if (definition.kind !== 'prompt') throw new Error('not a prompt');
  return definition;
}

describe('the schemas of a handler', () => {
  const started = explore({ providers: [Tools] });

  it('take no arguments where none are declared', async () => {
    const { input, output } = tool((await started).find('Tools.none'));
    expect(input.wire).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect(output).toBeUndefined();
  });

  it('are made of the @McpArg parameters and their types', async () => {
    const { input } = tool((await started).find('Tools.picked'));
    expect(input.wire).toEqual({
      type: 'object',
      properties: {
        place: { type: 'string', description: 'Where' },
        days: { type: 'integer', minimum: 1 },
        metric: { type: 'boolean' },
      },
      required: ['place'],
      additionalProperties: false,
    });
    expect(await input.parse({ place: 'Rome' })).toEqual({ ok: true, value: { place: 'Rome' } });
    expect(await input.parse({ days: 0 })).toMatchObject({ ok: false });
  });

  it('come from a DTO class and a Standard Schema, the DTO as an instance', async () => {
    const { input, output } = tool((await started).find('Tools.search'));
    expect(input.wire).toMatchObject({ required: ['text', 'limit'], additionalProperties: false });
    const parsed = await input.parse({ text: 'a', limit: 1 });
    expect(parsed.ok && parsed.value).toBeInstanceOf(Search);
    expect(output?.wire).toMatchObject({ type: 'object', properties: { hits: { type: 'number' } } });
  });

  it('become the arguments of a prompt', async () => {
    expect(prompt((await started).find('Tools.ask')).arguments).toEqual([
      { name: 'place', title: 'Place', required: true },
      { name: 'when', required: false },
    ]);
    expect(prompt((await started).find('Tools.write')).arguments).toEqual([
      { name: 'topic', description: 'About', required: true },
    ]);
  });

  it('that cannot be used are boot faults, beside every other fault', async () => {
    class Broken {
      @McpTool({ input: { type: 'object', properties: { a: { type: 'strnig' } } } })
      input(): void {}

      @McpTool({ output: { type: 'object', propertys: {} } })
      output(): void {}

      @McpTool()
      argument(@McpArg('when') when: Date): Date {
        return when;
      }

      @McpTool({ input: z.object({ place: z.string() }) })
      stray(@McpArg('plaec') place: string): string {
        return place;
      }

      @McpPrompt()
      prompt(@McpArg('count') count: number): string {
        return String(count);
      }
    }
    const { definitions, faults } = await explore({ providers: [Broken] });
    expect(definitions).toEqual([]);
    expect(faults).toEqual([
      { source: 'Broken.input', message: expect.stringMatching(/^input: /) as string },
      { source: 'Broken.output', message: expect.stringMatching(/^output: .*propertys/) as string },
      { source: 'Broken.argument', message: expect.stringMatching(/^argument "when": type Date/) as string },
      { source: 'Broken.stray', message: '@McpArg("plaec") names an argument that input does not declare' },
      { source: 'Broken.prompt', message: expect.stringMatching(/^argument "count": /) as string },
    ]);
  });
});
