import { Controller, Injectable, Module } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { McpCompletion } from '../../src/decorators/mcp-completion.js';
import { McpPrompt } from '../../src/decorators/mcp-prompt.js';
import { McpResource } from '../../src/decorators/mcp-resource.js';
import { McpResourceTemplate } from '../../src/decorators/mcp-resource-template.js';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import { explore } from './explore.js';

class Base {
  @McpTool({ description: 'base' })
  first(): string {
    return 'base first';
  }

  @McpTool({ description: 'base' })
  second(): string {
    return 'base second';
  }
}

@Injectable()
class Derived extends Base {
  readonly own = 'derived';

  @McpTool({ name: 'renamed', description: 'derived' })
  override second(): string {
    return `${this.own} second`;
  }
}

@Injectable()
class Notes {
  @McpTool()
  add(): string {
    return 'added';
  }
}

@Controller('notes')
class NotesController {
  @McpTool()
  list(): string {
    return 'listed';
  }
}

describe('the explorer', () => {
  it('describes every kind of handler', async () => {
    const icons = [{ src: 'https://example.com/i.png' }];
    class All {
      @McpTool({
        title: 'T',
        description: 'D',
        icons,
        _meta: { a: 1 },
        commandClass: 'read',
        task: 'allowed',
        mimeType: 'image/png',
      })
      tool(): void {}

      @McpResource({ uri: 'x://r', mimeType: 'text/plain', size: 3, annotations: { priority: 1 }, _meta: { b: 1 } })
      resource(): void {}

      @McpResourceTemplate({ uriTemplate: 'x://t/{v}', name: 'things', title: 'Things' })
      template(): void {}

      @McpPrompt({ name: 'ask', description: 'P' })
      prompt(): void {}

      @McpCompletion({ prompt: 'ask', argument: 'a' })
      @McpCompletion({ uriTemplate: 'x://t/{v}', argument: 'v' })
      complete(): void {}
    }
    const { definitions, faults } = await explore({ providers: [All] });
    expect(faults).toEqual([]);
    expect(definitions).toMatchObject([
      {
        kind: 'tool',
        source: 'All.tool',
        name: 'tool',
        title: 'T',
        description: 'D',
        icons,
        meta: { a: 1 },
        commandClass: 'read',
        task: 'allowed',
        mimeType: 'image/png',
      },
      {
        kind: 'resource',
        source: 'All.resource',
        uri: 'x://r',
        name: 'resource',
        mimeType: 'text/plain',
        size: 3,
        annotations: { priority: 1 },
        meta: { b: 1 },
      },
      { kind: 'template', source: 'All.template', uriTemplate: 'x://t/{v}', name: 'things', title: 'Things' },
      { kind: 'prompt', source: 'All.prompt', name: 'ask', description: 'P' },
      { kind: 'completion', source: 'All.complete', ref: { type: 'ref/resource', uri: 'x://t/{v}' }, argument: 'v' },
      { kind: 'completion', source: 'All.complete', ref: { type: 'ref/prompt', name: 'ask' }, argument: 'a' },
    ]);
    for (const definition of definitions) expect(definition).not.toHaveProperty('_meta');
  });

  it('finds inherited methods, a declaration of the subclass wins, and this is the subclass', async () => {
    const explored = await explore({ providers: [Derived] });
    expect(explored.sources).toEqual(['Derived.first', 'Derived.second']);
    expect(explored.find('Derived.second')).toMatchObject({ name: 'renamed', description: 'derived' });
    await expect(explored.call('Derived.first')).resolves.toBe('base first');
    await expect(explored.call('Derived.second')).resolves.toBe('derived second');
  });

  it('counts a class once, whatever and how many modules provide it', async () => {
    @Module({ providers: [Notes, { provide: 'ALIAS', useExisting: Notes }] })
    class One {}
    @Module({ providers: [Notes, { provide: 'OTHER', useClass: Notes }, { provide: 'VALUE', useValue: new Notes() }] })
    class Two {}
    const explored = await explore({ imports: [One, Two] });
    expect(explored.sources).toEqual(['Notes.add']);
    expect(explored.faults).toEqual([]);
  });

  it('looks into the included modules alone', async () => {
    @Module({ providers: [Notes] })
    class Inside {}
    @Module({ controllers: [NotesController], providers: [Derived] })
    class Outside {}
    const imports = [Inside, Outside];
    expect((await explore({ imports }, { include: [Inside] })).sources).toEqual(['Notes.add']);
    expect((await explore({ imports }, { include: [Outside] })).sources).toEqual([
      'Derived.first',
      'Derived.second',
      'NotesController.list',
    ]);
    expect((await explore({ imports })).sources).toHaveLength(4);
  });

  it('is not disturbed by values without a class', async () => {
    const providers = [null, undefined, 'text', 7, Object.create(null), [], () => 1].map((useValue, index) => ({
      provide: `V${index}`,
      useValue: useValue as unknown,
    }));
    const explored = await explore({ providers: [...providers, Notes] });
    expect(explored.sources).toEqual(['Notes.add']);
  });

  it.each([
    ['read-only', { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ['additive', { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }],
    ['idempotent', { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ['destructive', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }],
  ] as const)('turns mode %s into hints, under those the author gave', async (mode, annotations) => {
    class Moded {
      @McpTool({ mode })
      plain(): void {}

      @McpTool({ mode, annotations: { openWorldHint: true, title: 'Mine' } })
      annotated(): void {}

      @McpTool({ annotations: { idempotentHint: true } })
      modeless(): void {}

      @McpTool()
      bare(): void {}
    }
    const explored = await explore({ providers: [Moded] });
    expect(explored.find('Moded.plain')).toMatchObject({ mode, annotations });
    expect(explored.find('Moded.annotated')).toMatchObject({
      annotations: { ...annotations, openWorldHint: true, title: 'Mine' },
    });
    expect(explored.find('Moded.modeless')).toMatchObject({ annotations: { idempotentHint: true } });
    expect(explored.find('Moded.bare')).toMatchObject({ annotations: undefined, mode: undefined });
  });

  it('reports everything that cannot be a handler, naming Class.method', async () => {
    const symbol = Symbol('hidden');
    class Impossible {
      @McpTool()
      static shared(): void {}

      @McpTool()
      [symbol](): void {}

      @McpResource({ uri: 'x://y' })
      get value(): string {
        return 'x';
      }

      @McpTool({ mode: 'careful' as 'additive' })
      moded(): void {}

      @McpTool({ timeoutMs: 0 })
      timed(): void {}

      @McpTool({ maxConcurrent: 1.5 })
      crowded(): void {}

      @McpTool({ maxOutputBytes: 2 ** 31 })
      long(): void {}
    }
    const { definitions, faults } = await explore({ providers: [Impossible] });
    expect(definitions).toEqual([]);
    expect(faults).toEqual([
      { source: 'Impossible.shared', message: 'is static; a handler is a method of an instance' },
      { source: 'Impossible.Symbol(hidden)', message: 'a method named by a symbol cannot be a handler' },
      { source: 'Impossible.value', message: 'is not a method' },
      { source: 'Impossible.moded', message: 'mode "careful" does not exist' },
      { source: 'Impossible.timed', message: 'timeoutMs must be a whole number from 1 to 2147483647' },
      { source: 'Impossible.crowded', message: 'maxConcurrent must be a whole number from 1 to 10000000' },
      { source: 'Impossible.long', message: 'maxOutputBytes must be a whole number from 1 to 1073741824' },
    ]);
  });
});
