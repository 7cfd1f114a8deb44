import { Injectable, Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { McpBootError, McpCatalog, McpModule, McpTool } from 'nestjs-mcp';
import type { McpCallEvent, McpContext, McpEntry, McpModuleOptions, McpServerInfo } from 'nestjs-mcp';
import { describeRevisions, McpTesting } from 'nestjs-mcp/testing';
import { afterEach, describe, expect, it } from 'vitest';

Logger.overrideLogger(false);

@Injectable()
class Tools {
  @McpTool()
  search(): string {
    return 'found';
  }

  @McpTool()
  wipe(): string {
    return 'wiped';
  }
}

const OPTIONS: McpModuleOptions = {
  server: { name: 'host', version: '1.0.0' },
  allowedOrigins: [],
  guards: 'none',
};

let moduleRef: TestingModule | undefined;

async function compiled(options: Partial<McpModuleOptions>, entries: readonly McpEntry[] = []): Promise<TestingModule> {
  moduleRef = await Test.createTestingModule({
    imports: [McpModule.forRoot({ ...OPTIONS, ...options }), McpModule.forFeature(entries)],
    providers: [Tools],
  }).compile();
  return moduleRef;
}

afterEach(async () => {
  // Nest 11 rejects here with what made the start fail.
  await moduleRef?.close().catch(() => undefined);
  moduleRef = undefined;
});

async function faultsOf(app: TestingModule): Promise<readonly string[]> {
  const error: unknown = await app.init().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof McpBootError
    ? error.faults.map(({ message }) => message)
    : [`not a boot error: ${String(error)}`];
}

describeRevisions(describe, 'options of the host', (revision) => {
  it('server, as a function, names the server to each caller and to observers', async () => {
    const infos: Readonly<Record<string, McpServerInfo>> = {
      alice: { name: 'alices', version: '1', instructions: 'Hello Alice' },
      bob: { name: 'bobs', version: '2' },
    };
    const nobody: McpServerInfo = { name: 'everybodys', version: '3' };
    const events: McpCallEvent[] = [];
    const app = await compiled({
      server: ({ identity }) => infos[String(identity)] ?? nobody,
      observers: [{ onCall: (event) => void events.push(event) }],
    });
    const alice = await McpTesting.connect(app, { revision, identity: 'alice' });
    expect(alice.serverInfo).toEqual({ name: 'alices', version: '1' });
    expect(alice.instructions).toBe('Hello Alice');
    const bob = await McpTesting.connect(app, { revision, identity: 'bob' });
    expect(bob.serverInfo?.name).toBe('bobs');
    expect(bob.instructions).toBeUndefined();
    await bob.callTool('search');
    await (await McpTesting.connect(app, { revision })).callTool('search');
    expect(events.map(({ server }) => server)).toEqual(['bobs', 'everybodys']);
  });

  it('server, as a function that answers badly, is a failure without detail', async () => {
    const app = await compiled({ server: () => ({ name: 'x' }) as McpServerInfo });
    await expect(McpTesting.connect(app, { revision })).rejects.toMatchObject({
      code: -32603,
      message: 'Internal error',
    });
  });

  it('expose offers the named tools alone, at the start and later', async () => {
    const app = await compiled({ expose: { tools: ['search', 'later', 'unknown'] } });
    const client = await McpTesting.connect(app, { revision });
    const names = async () => (await client.listTools()).map(({ name }) => name);
    expect(await names()).toEqual(['search']);
    await expect(client.callTool('wipe')).rejects.toMatchObject({ code: -32602 });
    const tool = (name: string): McpEntry => ({ kind: 'tool', name, handler: () => name });
    await app.get(McpCatalog).add([tool('later'), tool('hidden')]);
    expect(await names()).toEqual(['later', 'search']);
  });

  it('dispatch runs the tools that have no handler, with its context', async () => {
    const seen: unknown[] = [];
    const pool = { pool: true };
    const app = await compiled(
      {
        dispatch(name, args, context, dispatchContext) {
          seen.push([name, args, context.identity, dispatchContext === pool]);
          return `ran ${name}`;
        },
        dispatchContext: pool,
      },
      [
        { kind: 'tool', name: 'central', input: { type: 'object', properties: { n: { type: 'integer' } } } },
        { kind: 'tool', name: 'own', handler: () => 'my own' },
      ],
    );
    const client = await McpTesting.connect(app, { revision, identity: 'alice' });
    expect(await client.callTool('central', { n: 1 })).toMatchObject({ content: [{ text: 'ran central' }] });
    expect(await client.callTool('central', { n: 'x' })).toMatchObject({ isError: true });
    expect(await client.callTool('own')).toMatchObject({ content: [{ text: 'my own' }] });
    expect(await client.callTool('search')).toMatchObject({ content: [{ text: 'found' }] });
    expect(seen).toEqual([['central', { n: 1 }, 'alice', true]]);
  });

  it('core puts something around the protocol', async () => {
    const methods: string[] = [];
    const app = await compiled({
      core: (inner) => ({
        revisions: inner.revisions,
        get parameterHeaders() {
          return inner.parameterHeaders;
        },
        handle: (message, call) => {
          methods.push(message.method);
          return inner.handle(message, call);
        },
        notify: (message, call) => inner.notify(message, call),
        mirrored: (message, call) => inner.mirrored(message, call),
      }),
    });
    const client = await McpTesting.connect(app, { revision });
    await client.callTool('search');
    expect(methods).toEqual([revision === '2026-07-28' ? 'server/discover' : 'initialize', 'tools/call']);
  });
});

describe('options of the host, when the application starts', () => {
  it('core that answers with something else is a fault', async () => {
    for (const core of [() => undefined, () => ({}), () => 1] as unknown as McpModuleOptions['core'][]) {
      const app = await compiled(core === undefined ? {} : { core });
      expect(await faultsOf(app)).toEqual([expect.stringMatching(/^option "core" must answer with/)]);
    }
  });

  it('a tool without handler is a fault unless there is a dispatch', async () => {
    const entries: McpEntry[] = [{ kind: 'tool', name: 'central' }];
    const app = await compiled({}, entries);
    expect(await faultsOf(app)).toEqual(['handler must be a function, or the option dispatch must be there']);
    const broken = await compiled({ dispatch: 'x' as never }, entries);
    expect(await faultsOf(broken)).toContain('option "dispatch" must be a function');
  });

  it('dispatch is for tools, and for handlers that are missing, not for those that are wrong', async () => {
    const dispatch = (): string => 'x';
    const app = await compiled({ dispatch }, [
      { kind: 'tool', name: 'wrong', handler: 'x' as never },
      { kind: 'prompt', name: 'none' } as never,
    ]);
    expect(await faultsOf(app)).toEqual(['handler must be a function', 'handler must be a function']);
  });

  it('a context is what a handler gets, for dispatch too', async () => {
    let context: McpContext | undefined;
    const app = await compiled({ dispatch: (_name, _args, given) => void (context = given) }, [
      { kind: 'tool', name: 'central' },
    ]);
    await (await McpTesting.connect(app)).callTool('central');
    expect(context?.method).toBe('tools/call');
  });
});
