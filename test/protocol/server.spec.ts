import { describe, expect, it } from 'vitest';
import { CallCancelled, ServerClosing } from '../../src/protocol/call.js';
import type { Handler } from '../../src/protocol/catalog/entries.js';
import { HandlerRefusal, McpError, McpNotFound, McpToolError } from '../../src/protocol/errors.js';
import { REVISIONS } from '../../src/protocol/revisions.js';
import { anyArguments, callOf, conversationOf, coreOf, send, tool } from './core-fixture.js';

const LEGACY = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;
const hello = tool('hello', () => 'hi');

describe('initialize', () => {
  const params = { capabilities: {}, clientInfo: { name: 'c', version: '1' } };

  it.each(LEGACY)('answers with the version asked for: %s', async (name) => {
    const answer = await send(coreOf([hello]), callOf('2025-11-25'), 'initialize', {
      ...params,
      protocolVersion: name,
    });
    expect(answer.result).toMatchObject({ protocolVersion: name, serverInfo: { name: 'test', version: '1.0.0' } });
    expect(answer.outcome.opened?.revision.name).toBe(name);
  });

  it.each(['2026-07-28', '2099-01-01', ''])(
    'counter-offers the newest revision with a handshake to %j',
    async (name) => {
      const answer = await send(coreOf([hello]), callOf('2025-11-25'), 'initialize', {
        ...params,
        protocolVersion: name,
      });
      expect(answer.result).toMatchObject({ protocolVersion: '2025-11-25' });
    },
  );

  it('shows only what the negotiated revision knows of the identity', async () => {
    const identity = async (protocolVersion: string): Promise<unknown> =>
      (await send(coreOf([hello]), callOf('2025-11-25'), 'initialize', { ...params, protocolVersion })).result?.[
        'serverInfo'
      ];
    expect(await identity('2025-03-26')).toEqual({ name: 'test', version: '1.0.0' });
    expect(await identity('2025-06-18')).toEqual({ name: 'test', version: '1.0.0', title: 'Test' });
    expect(await identity('2025-11-25')).toMatchObject({ title: 'Test', websiteUrl: 'https://example.com' });
  });

  it.each([
    ['protocolVersion', { ...params, protocolVersion: 5 }],
    ['capabilities', { protocolVersion: '2025-11-25', clientInfo: params.clientInfo }],
    ['clientInfo', { protocolVersion: '2025-11-25', capabilities: {} }],
    ['clientInfo.version', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } }],
  ])('refuses a bad %s', async (path, bad) => {
    const { error } = await send(coreOf([hello]), callOf('2025-11-25'), 'initialize', bad);
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain(`params.${path}`);
  });
});

describe('capabilities', () => {
  const discover = async (streams: boolean): Promise<unknown> => {
    const fixture = callOf('2026-07-28', { abilities: { streams, conversation: false } });
    return (await send(coreOf([hello]), fixture, 'server/discover')).result?.['capabilities'];
  };

  it('declare changes, subscriptions and logging where streams reach the client', async () => {
    expect(await discover(true)).toEqual({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      logging: {},
    });
  });

  it('declare none of it where they do not, and the methods are unknown then', async () => {
    expect(await discover(false)).toEqual({ tools: {}, resources: {}, prompts: {} });
    const fixture = callOf('2026-07-28', { abilities: { streams: false, conversation: false } });
    const answer = await send(coreOf([hello]), fixture, 'subscriptions/listen', { notifications: {} });
    expect(answer).toMatchObject({ status: 404, error: { code: -32601 } });
  });

  it('declare completions when there is something to complete', async () => {
    const core = coreOf([
      {
        kind: 'prompt',
        name: 'p',
        source: 'P.p',
        handler: () => 'x',
        input: anyArguments,
        arguments: [{ name: 'a', required: false }],
      },
      {
        kind: 'completion',
        source: 'P.c',
        handler: () => ['x'],
        ref: { type: 'ref/prompt', name: 'p' },
        argument: 'a',
      },
    ]);
    expect((await send(core, callOf('2026-07-28'), 'server/discover')).result).toMatchObject({
      capabilities: { completions: {} },
      supportedVersions: REVISIONS.map(({ name }) => name),
    });
  });
});

describe('unknown methods', () => {
  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'foo/bar',
    '__proto__',
  ])('are 404 in 2026-07-28: %s', async (method) => {
    expect(await send(coreOf([hello]), callOf('2026-07-28'), method)).toMatchObject({
      status: 404,
      id: 7,
      error: { code: -32601 },
    });
  });

  it.each(LEGACY)('are 200 in %s', async (name) => {
    expect(await send(coreOf([hello]), callOf(name), 'server/discover')).toMatchObject({
      status: 200,
      error: { code: -32601 },
    });
  });
});

describe('results', () => {
  it('carry the envelope of 2026-07-28 and none of it before', async () => {
    const modern = await send(coreOf([hello]), callOf('2026-07-28'), 'tools/call', { name: 'hello' });
    expect(modern.result).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      isError: false,
      resultType: 'complete',
      _meta: {
        'io.modelcontextprotocol/serverInfo': {
          name: 'test',
          version: '1.0.0',
          title: 'Test',
          websiteUrl: 'https://example.com',
        },
      },
    });
    const legacy = await send(coreOf([hello]), callOf('2025-11-25'), 'tools/call', { name: 'hello' });
    expect(legacy.result).toEqual({ content: [{ type: 'text', text: 'hi' }], isError: false });
  });

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'server/discover'])(
    'carry cache hints in %s',
    async (method) => {
      const { result } = await send(coreOf([hello]), callOf('2026-07-28'), method);
      expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private', resultType: 'complete' });
    },
  );

  it('answers ping with exactly {}', async () => {
    expect((await send(coreOf([hello]), callOf('2025-06-18'), 'ping')).result).toEqual({});
  });
});

describe('tools/call', () => {
  it.each([undefined, null])('takes arguments %j for {}', async (given) => {
    const core = coreOf([tool('show', (args) => JSON.stringify(args))]);
    const answer = await send(core, callOf('2025-11-25'), 'tools/call', {
      name: 'show',
      ...(given === undefined ? {} : { arguments: given }),
    });
    expect(answer.result).toMatchObject({ content: [{ text: '{}' }] });
  });

  it.each(['str', 5, true, [1]])('refuses arguments %j without running the tool', async (given) => {
    let runs = 0;
    const core = coreOf([tool('count', () => ++runs)]);
    const answer = await send(core, callOf('2025-11-25'), 'tools/call', { name: 'count', arguments: given });
    expect(answer).toMatchObject({ status: 200, error: { code: -32602 } });
    expect(runs).toBe(0);
  });

  it.each([true, {}, undefined])('refuses the name %j', async (name) => {
    expect(await send(coreOf([hello]), callOf('2026-07-28'), 'tools/call', { name })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it.each(['nope', 'constructor', '__proto__', 'toString'])('knows no tool %s', async (name) => {
    expect(await send(coreOf([hello]), callOf('2026-07-28'), 'tools/call', { name })).toMatchObject({
      status: 200,
      error: { code: -32602, data: { name } },
    });
  });

  it('answers for a hidden tool byte for byte as for an unknown one', async () => {
    const visible = coreOf([hello], { visibility: () => false });
    const hidden = await send(visible, callOf('2026-07-28'), 'tools/call', { name: 'hello' });
    const unknown = await send(coreOf([]), callOf('2026-07-28'), 'tools/call', { name: 'hello' });
    expect(hidden.outcome).toEqual(unknown.outcome);
  });

  it('names each broken rule to the model, and does not run the tool', async () => {
    const input = {
      ...anyArguments,
      parse: () => ({ ok: false as const, violations: [{ path: 'opts.mode', rule: 'must be string' }] }),
    };
    const core = coreOf([tool('t', () => expect.unreachable(), { input })]);
    const { result } = await send(core, callOf('2026-07-28'), 'tools/call', { name: 't' });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 't: invalid arguments: opts.mode must be string' }],
    });
  });

  it('lets the model read an McpToolError, with its data', async () => {
    const core = coreOf([
      tool('fail', () => {
        throw new McpToolError('no such place', { near: ['Oslo'] });
      }),
    ]);
    const { result } = await send(core, callOf('2026-07-28'), 'tools/call', { name: 'fail' });
    expect(result).toMatchObject({ isError: true, structuredContent: { near: ['Oslo'] } });
    expect(result?.['content']).toEqual([
      { type: 'text', text: 'no such place' },
      { type: 'text', text: '{"near":["Oslo"]}' },
    ]);
  });

  it('hides what failed unexpectedly behind a reference, and logs it in full', async () => {
    const secret = new Error('db at 10.0.0.5 failed');
    const fixture = coreOf([
      tool('boom', () => {
        throw secret;
      }),
    ]);
    const { outcome, result } = await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'boom' });
    expect(result).toMatchObject({ isError: true });
    expect(outcome.body).not.toContain('10.0.0.5');
    expect(outcome.body).toContain('id-1');
    expect(fixture.logged).toEqual([{ message: 'Tools.boom failed (reference id-1)', error: secret }]);
  });

  it.each([
    ['a string', 'bad'],
    ['undefined', undefined],
    ['null', null],
  ])('survives a handler that throws %s', async (_what, thrown) => {
    const core = coreOf([tool('boom', () => Promise.reject(thrown))]);
    expect((await send(core, callOf('2026-07-28'), 'tools/call', { name: 'boom' })).result).toMatchObject({
      isError: true,
    });
  });

  it('sends an McpError as it is, except with codes of the specification', async () => {
    const throwing = (code: number) =>
      tool(`e${Math.abs(code)}`, () => {
        throw new McpError(code, 'mine', { a: 1 });
      });
    const core = coreOf([
      throwing(-32602),
      throwing(42),
      throwing(-32020),
      throwing(-32002),
      throwing(-32042),
      throwing(-32099),
    ]);
    const code = async (name: string): Promise<unknown> =>
      (await send(core, callOf('2026-07-28'), 'tools/call', { name })).error?.code;
    expect(await code('e32602')).toBe(-32602);
    expect(await code('e42')).toBe(42);
    for (const name of ['e32020', 'e32002', 'e32042', 'e32099']) expect(await code(name)).toBe(-32603);
  });

  it('gives a guard its status and challenge while the head is unsent, and a text afterwards', async () => {
    const core = coreOf([
      tool('closed', () => {
        throw new HandlerRefusal(
          'authorization',
          403,
          'scope x is missing for bob',
          'Bearer error="insufficient_scope"',
        );
      }),
    ]);
    const first = await send(core, callOf('2026-07-28'), 'tools/call', { name: 'closed' });
    expect(first).toMatchObject({ status: 403, error: { code: -32600, message: 'Forbidden' } });
    expect(first.outcome.challenge).toBe('Bearer error="insufficient_scope"');
    const committed = callOf('2026-07-28');
    const late = { call: { ...committed.call, channel: { ...committed.call.channel, committed: true } } };
    expect((await send(core, late, 'tools/call', { name: 'closed' })).result).toMatchObject({
      isError: true,
      content: [{ text: 'Forbidden' }],
    });
    const stdio = callOf('2026-07-28', { transport: 'stdio' });
    expect((await send(core, stdio, 'tools/call', { name: 'closed' })).result).toMatchObject({ isError: true });
  });

  it('challenges with Bearer when a 401 names no challenge', async () => {
    const core = coreOf([
      tool('closed', () => {
        throw new HandlerRefusal('authorization', 401, 'no');
      }),
    ]);
    const answer = await send(core, callOf('2026-07-28'), 'tools/call', { name: 'closed' });
    expect(answer.status).toBe(401);
    expect(answer.outcome.challenge).toBe('Bearer');
  });

  it('lets the model read an HTTP exception of the method', async () => {
    const core = coreOf([
      tool('gone', () => {
        throw new HandlerRefusal('method', 404, 'note 5 is gone');
      }),
    ]);
    expect((await send(core, callOf('2026-07-28'), 'tools/call', { name: 'gone' })).result).toMatchObject({
      isError: true,
      content: [{ text: 'note 5 is gone' }],
    });
  });

  it('says nothing for a call the client cancelled', async () => {
    const fixture = callOf('2026-07-28');
    const core = coreOf([
      tool(
        'slow',
        (_args, context) =>
          new Promise((_resolve, reject) =>
            context.signal.addEventListener('abort', () => reject(new Error('stopped'))),
          ),
      ),
    ]);
    const answer = send(core, fixture, 'tools/call', { name: 'slow' });
    await new Promise(setImmediate);
    fixture.abort.abort(new CallCancelled());
    expect((await answer).outcome.silent).toBe(true);
    expect(core.logged).toEqual([]);
  });
});

describe('resources/read', () => {
  const core = coreOf([
    {
      kind: 'resource',
      uri: 'info://about',
      name: 'about',
      source: 'R.about',
      handler: () => 'text',
      mimeType: 'text/plain',
    },
    {
      kind: 'resource',
      uri: 'info://gone',
      name: 'gone',
      source: 'R.gone',
      handler: () => {
        throw new McpNotFound('moved');
      },
    },
    {
      kind: 'resource',
      uri: 'info://boom',
      name: 'boom',
      source: 'R.boom',
      handler: () => {
        throw new Error('secret');
      },
    },
    {
      kind: 'template',
      uriTemplate: 'info://{id}',
      name: 'one',
      source: 'R.one',
      handler: (variables) => JSON.stringify(variables),
    },
  ]);
  const read = (uri: unknown, revision: '2025-11-25' | '2026-07-28' = '2026-07-28') =>
    send(core, callOf(revision), 'resources/read', { uri });

  it('prefers a declared uri to a template', async () => {
    expect((await read('info://about')).result).toMatchObject({
      contents: [{ uri: 'info://about', text: 'text', mimeType: 'text/plain' }],
      ttlMs: 0,
    });
    expect((await read('info://x')).result).toMatchObject({ contents: [{ uri: 'info://x', text: '{"id":"x"}' }] });
  });

  it('answers a missing resource by the code of the revision, with its uri and reason', async () => {
    expect((await read('other://x')).error).toMatchObject({ code: -32602, data: { uri: 'other://x' } });
    expect((await read('other://x', '2025-11-25')).error).toMatchObject({ code: -32002 });
    expect((await read('info://gone')).error).toMatchObject({
      code: -32602,
      data: { uri: 'info://gone', reason: 'moved' },
    });
  });

  it('hides what failed', async () => {
    const answer = await read('info://boom');
    expect(answer.error).toMatchObject({ code: -32603, data: { reference: expect.any(String) } });
    expect(answer.outcome.body).not.toContain('secret');
  });

  it('refuses a uri that is no string', async () => {
    expect((await read(5)).error?.code).toBe(-32602);
  });
});

describe('prompts/get', () => {
  it('refuses bad arguments as an error naming prompt and reason', async () => {
    const input = {
      ...anyArguments,
      parse: () => ({ ok: false as const, violations: [{ path: 'name', rule: 'is required' }] }),
    };
    const core = coreOf([
      { kind: 'prompt', name: 'greet', source: 'P.greet', handler: () => 'x', input, arguments: [] },
    ]);
    expect((await send(core, callOf('2026-07-28'), 'prompts/get', { name: 'greet' })).error).toMatchObject({
      code: -32602,
      data: { name: 'greet', reason: 'name is required' },
    });
    expect((await send(core, callOf('2026-07-28'), 'prompts/get', { name: 'nope' })).error).toMatchObject({
      code: -32602,
      data: { name: 'nope' },
    });
  });
});

describe('completion/complete', () => {
  const core = coreOf([
    {
      kind: 'prompt',
      name: 'p',
      source: 'P.p',
      handler: () => 'x',
      input: anyArguments,
      arguments: [
        { name: 'a', required: false },
        { name: 'b', required: false },
      ],
    },
    {
      kind: 'completion',
      source: 'P.c',
      handler: (input) => [JSON.stringify(input)],
      ref: { type: 'ref/prompt', name: 'p' },
      argument: 'a',
    },
  ]);
  const complete = (params: Record<string, unknown>, revision: '2025-03-26' | '2025-06-18' = '2025-06-18') =>
    send(core, callOf(revision), 'completion/complete', params);

  it('hands on what was typed and chosen, where the revision has it', async () => {
    const params = {
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'a', value: 'x' },
      context: { arguments: { b: '1', n: 5 } },
    };
    expect((await complete(params)).result).toMatchObject({
      completion: { values: ['{"value":"x","arguments":{"b":"1"}}'] },
    });
    expect((await complete(params, '2025-03-26')).result).toMatchObject({
      completion: { values: ['{"value":"x","arguments":{}}'] },
    });
  });

  it('has nothing to say of an argument without completion, and refuses an unknown one', async () => {
    const ref = { type: 'ref/prompt', name: 'p' };
    expect((await complete({ ref, argument: { name: 'b', value: '' } })).result).toMatchObject({
      completion: { values: [] },
    });
    expect((await complete({ ref, argument: { name: 'z', value: '' } })).error?.code).toBe(-32602);
    expect(
      (await complete({ ref: { type: 'ref/prompt', name: 'q' }, argument: { name: 'a', value: '' } })).error?.code,
    ).toBe(-32602);
    expect((await complete({ ref: { type: 'x' }, argument: { name: 'a', value: '' } })).error?.code).toBe(-32602);
  });
});

describe('logging/setLevel', () => {
  it('reaches the conversation, refuses an unknown level, and is unknown without one', async () => {
    const levels: string[] = [];
    const conversation = conversationOf({ setLogLevel: (level) => void levels.push(level) });
    const fixture = callOf('2025-11-25', { conversation });
    expect((await send(coreOf([hello]), fixture, 'logging/setLevel', { level: 'warning' })).result).toEqual({});
    expect(levels).toEqual(['warning']);
    expect((await send(coreOf([hello]), fixture, 'logging/setLevel', { level: 'loud' })).error?.code).toBe(-32602);
    expect((await send(coreOf([hello]), callOf('2025-11-25'), 'logging/setLevel', { level: 'info' })).error?.code).toBe(
      -32601,
    );
  });
});

describe('the end of the server', () => {
  const givesUp: Handler = (_args, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gave up'))));

  it.each([
    ['tools/call', { name: 'x' }],
    ['resources/read', { uri: 'x://x' }],
    ['prompts/get', { name: 'x' }],
  ])('is what a call of %s is told that gives up with it, and no fault of its handler', async (method, params) => {
    const core = coreOf([
      tool('x', givesUp),
      { kind: 'resource', uri: 'x://x', name: 'x', source: 'R.x', handler: givesUp },
      { kind: 'prompt', name: 'x', source: 'P.x', handler: givesUp, arguments: [], input: anyArguments },
    ]);
    const fixture = callOf('2026-07-28');
    const answer = send(core, fixture, method, params);
    await new Promise((resolve) => setImmediate(resolve));
    fixture.abort.abort(new ServerClosing('The server is shutting down'));
    expect(await answer).toMatchObject({
      status: 503,
      error: { code: -32603, message: 'The server is shutting down' },
    });
    expect(core.logged).toEqual([]);
  });
});
