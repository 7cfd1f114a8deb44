import { Inject, Injectable, Scope, type CanActivate, type ExecutionContext, type LoggerService } from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import {
  McpAuthenticator,
  type McpCatalogSource,
  type McpContext,
  type McpEntry,
  type McpModuleOptions,
  type McpToolEntry,
} from 'nestjs-mcp';
import { describe, expect, it } from 'vitest';
import { call, callTool, modern, PLATFORMS, start, type Platform, type Running } from './nest-app.js';
import { hostModule, type HostParts } from './nest-fixture.js';

interface Request {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The caller is whoever the header says. */
class Named extends McpAuthenticator<string> {
  authenticate({ headers }: Request): string | undefined {
    return headers['x-caller'];
  }
}

const as = (caller: string): Record<string, string> => ({ 'x-caller': caller });

class Lines implements LoggerService {
  readonly all: string[] = [];
  readonly log = (): void => undefined;
  readonly warn = this.log;
  readonly error = (...line: unknown[]): void => void this.all.push(line.map(String).join(' '));
}

async function serving<T>(
  platform: Platform,
  sources: McpModuleOptions['sources'],
  check: (running: Running, errors: readonly string[]) => Promise<T>,
  { options, ...parts }: HostParts = {},
): Promise<T> {
  const logger = new Lines();
  const given = { guards: [new Named()], ...(sources === undefined ? {} : { sources }), ...options };
  const running = await start(platform, hostModule({ ...parts, options: given }), { logger });
  try {
    return await check(running, logger.all);
  } finally {
    await running.app.close();
  }
}

async function listed(url: string, caller: string, params: object = {}): Promise<readonly [string[], unknown]> {
  const { result } = await call(url, 'tools/list', params, as(caller));
  const tools = result?.['tools'] as { readonly name: string }[] | undefined;
  return [tools?.map(({ name }) => name) ?? [], result?.['nextCursor']];
}

function toolOf(name: string, more: Partial<McpToolEntry> = {}): McpToolEntry {
  return { kind: 'tool', name, handler: (_args, { identity }) => `${name} for ${String(identity)}`, ...more };
}

describe.each(PLATFORMS)('on %s, sources of the catalog', (platform) => {
  const perCaller: McpCatalogSource = {
    entries: async ({ identity }) => (identity === 'alice' ? [toolOf('alpha')] : [toolOf('beta'), toolOf('gamma')]),
  };

  it('give each caller tools of its own beside those of the application', async () => {
    await serving(platform, [perCaller], async ({ url }) => {
      expect((await listed(url(), 'alice'))[0]).toEqual(['alpha', 'echo']);
      expect((await listed(url(), 'bob'))[0]).toEqual(['beta', 'echo', 'gamma']);
      expect(await callTool(url(), 'alpha', {}, as('alice'))).toBe('alpha for alice');
      expect(await callTool(url(), 'alpha', {}, as('bob'))).toBe('error -32602: Unknown tool');
      expect(await callTool(url(), 'echo', { text: 'hi' }, as('bob'))).toBe('hi');
    });
  });

  it('keep two callers apart who read their lists in turns, page by page', async () => {
    const many: McpCatalogSource = {
      entries: ({ identity }) => Array.from({ length: 7 }, (_, nr) => toolOf(`${String(identity)}_${nr}`)),
    };
    await serving(
      platform,
      [many],
      async ({ url }) => {
        const seen = { alice: [] as string[], zoe: [] as string[] };
        const read = async (caller: 'alice' | 'zoe'): Promise<void> => {
          let cursor: unknown;
          do {
            const [names, next] = await listed(url(), caller, cursor === undefined ? {} : { cursor });
            seen[caller].push(...names);
            cursor = next;
          } while (cursor !== undefined);
        };
        await Promise.all([read('alice'), read('zoe')]);
        expect(seen.alice).toEqual([...Array.from({ length: 7 }, (_, nr) => `alice_${nr}`), 'echo']);
        expect(seen.zoe).toEqual(['echo', ...Array.from({ length: 7 }, (_, nr) => `zoe_${nr}`)]);
      },
      { options: { pageSize: { tools: 2 } } },
    );
  });

  it('may be classes of the container, request-scoped ones too', async () => {
    @Injectable()
    class Names {
      readonly all = ['one', 'two'];
    }
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest implements McpCatalogSource {
      constructor(
        @Inject(REQUEST) private readonly request: Request,
        private readonly names: Names,
      ) {}

      entries(): readonly McpEntry[] {
        return this.names.all.map((name) => toolOf(`${this.request.headers['x-caller']}_${name}`));
      }
    }
    await serving(
      platform,
      [PerRequest],
      async ({ url }) => {
        const [alice, bob] = await Promise.all([listed(url(), 'alice'), listed(url(), 'bob')]);
        expect(alice[0]).toEqual(['alice_one', 'alice_two', 'echo']);
        expect(bob[0]).toEqual(['bob_one', 'bob_two', 'echo']);
      },
      { providers: [Names, PerRequest] },
    );
  });

  it('are checked like the catalog: what cannot be served is logged once, and the rest is listed', async () => {
    const bad: readonly unknown[] = [
      toolOf('not allowed'),
      toolOf('no_type', { input: { properties: {} } }),
      toolOf('odd_keyword', { input: { type: 'object', frobnicate: true } }),
      toolOf('odd_header', {
        input: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
      }),
      toolOf('no_handler', { handler: 'nothing' as never }),
      toolOf('no_json', { _meta: { big: 1n } as never }),
      { kind: 'resource', uri: 'no-scheme', name: 'r', handler: () => '' },
      { kind: 'template', uriTemplate: 'x://{;a}', name: 't', handler: () => '' },
      { kind: 'tool', handler: () => '' },
      { kind: 'toll', name: 'misspelt' },
      undefined,
      'text',
    ];
    const source = { entries: () => [...bad, toolOf('good')] } as McpCatalogSource;
    await serving(platform, [source], async ({ url }, errors) => {
      for (let round = 0; round < 3; round += 1) {
        expect((await listed(url(), 'alice'))[0]).toEqual(['echo', 'good']);
        for (const [method, member] of [
          ['resources/list', 'resources'],
          ['resources/templates/list', 'resourceTemplates'],
        ] as const) {
          expect((await call(url(), method, {}, as('alice'))).result?.[member]).toEqual([]);
        }
      }
      expect(errors).toHaveLength(9);
      expect(errors.join('\n')).toContain('sources[0]: tool "odd_keyword" input: unknown keyword "frobnicate"');
      const { error } = await call(url(), 'tools/call', { name: 'odd_keyword' }, as('alice'));
      expect(error).toEqual({ code: -32603, message: 'Internal error', data: { reference: expect.any(String) } });
    });
  });

  it('compile what they give once for each object, and again when it goes by another name', async () => {
    let reads = 0;
    const input = {
      get type() {
        reads += 1;
        return 'object';
      },
      properties: { [`unlike ${platform}`]: {} },
    };
    const entry: { -readonly [Member in keyof McpToolEntry]: McpToolEntry[Member] } = toolOf('first', { input });
    await serving(platform, [{ entries: () => [entry] }], async ({ url }) => {
      for (let round = 0; round < 3; round += 1) await listed(url(), 'alice');
      expect(await callTool(url(), 'first', {}, as('alice'))).toBe('first for alice');
      const once = reads;
      expect(once).toBeGreaterThan(0);
      entry.name = 'second';
      expect((await listed(url(), 'alice'))[0]).toEqual(['echo', 'second']);
      expect(reads).toBe(once);
    });
  });

  it('fail the request opaquely when they throw or break their contract, and only where they are asked', async () => {
    const failing: readonly McpCatalogSource[] = [
      { entries: () => Promise.reject(new Error('s3cret')) },
      { entries: () => ({}) as never },
    ];
    for (const source of failing) {
      await serving(platform, [source], async ({ url }, errors) => {
        const { error } = await call(url(), 'tools/list', {}, as('alice'));
        expect(error).toEqual({ code: -32603, message: 'Internal error', data: { reference: expect.any(String) } });
        expect(await callTool(url(), 'echo', { text: 'hi' }, as('alice'))).toBe('hi');
        expect(errors).toHaveLength(1);
      });
    }
  });

  it('have their annotated arguments repeated in headers', async () => {
    const input = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    };
    let asked = 0;
    const source: McpCatalogSource = {
      entries: () => {
        asked += 1;
        return [toolOf('near', { input })];
      },
    };
    const parts: HostParts = { options: { guards: 'none' } };
    await serving(
      platform,
      [source],
      async ({ url }) => {
        const refused = await modern(url(), 'tools/call', { name: 'near', arguments: { region: 'eu' } });
        expect(refused.status).toBe(400);
        expect(await refused.json()).toMatchObject({ error: { code: -32020 } });
        expect(asked).toBe(1);
        expect((await modern(url(), 'tools/call', { name: 'near', arguments: {} })).status).toBe(200);
        expect(asked).toBe(2);
      },
      parts,
    );
  });

  it('give tools on which global guards run, and of which only exposed ones are there', async () => {
    const guard: CanActivate = {
      canActivate: (context: ExecutionContext) =>
        context.getType<string>() !== 'mcp' || context.getArgByIndex<McpContext>(3).identity === 'alice',
    };
    await serving(
      platform,
      [{ entries: () => [toolOf('shown'), toolOf('kept_back')] }],
      async ({ url }) => {
        expect((await listed(url(), 'bob'))[0]).toEqual(['shown']);
        expect(await callTool(url(), 'shown', {}, as('bob'))).toBe('Forbidden');
        expect(await callTool(url(), 'shown', {}, as('alice'))).toBe('shown for alice');
        expect(await callTool(url(), 'kept_back', {}, as('alice'))).toBe('error -32602: Unknown tool');
      },
      { options: { expose: { tools: ['shown'] } }, providers: [{ provide: APP_GUARD, useValue: guard }] },
    );
  });
});

describe('the option sources', () => {
  const starting = (options: object): Promise<unknown> =>
    serving('express', undefined, async () => undefined, { options: options as Partial<McpModuleOptions> });

  it.each<[object, string]>([
    [{ sources: [] }, 'option "sources" must not be empty'],
    [{ sources: [{}] }, 'option "sources[0]" must be an object with entries()'],
    [{ sources: [class Nothing {}] }, 'option "sources[0]" must be a class or an object with entries()'],
    [
      { guards: 'none', sources: [{ entries: () => [] }], cache: { tools: { scope: 'public' } } },
      `option "cache.tools.scope" cannot be 'public' together with sources`,
    ],
  ])('refuses %o when the application starts', async (options, message) => {
    await expect(starting(options)).rejects.toThrow(message);
  });

  it('names a class that cannot be created', async () => {
    class Missing {}
    @Injectable()
    class Source implements McpCatalogSource {
      constructor(readonly missing: Missing) {}

      entries(): readonly McpEntry[] {
        return [];
      }
    }
    await expect(starting({ sources: [Source] })).rejects.toThrow('option "sources[0]": Source cannot be created');
  });
});
