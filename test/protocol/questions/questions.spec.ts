import { describe, expect, it } from 'vitest';
import { QuestionTimeout } from '../../../src/protocol/call.js';
import type { Handler } from '../../../src/protocol/catalog/entries.js';
import { callOf, conversationOf, coreOf, send, tool, type CoreFixture } from '../core-fixture.js';

const askName: Handler = async (_args, context) => {
  const answer = await context.elicit<{ name: string }>({ key: 'user_name', message: 'Who?', schema: {} });
  return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : answer.action;
};
const forms = { elicitation: {} };

function callTool(
  fixture: CoreFixture,
  more: Record<string, unknown> = {},
  capabilities: object = forms,
  identityKey?: string,
) {
  const call = callOf('2026-07-28', identityKey === undefined ? {} : { identityKey });
  return send(fixture, call, 'tools/call', { name: 'ask', ...more }, capabilities);
}

describe('a question in 2026-07-28', () => {
  const core = coreOf([tool('ask', askName)]);

  it('ends the call, and the replay with its answer completes it', async () => {
    const first = await callTool(core);
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { user_name: { method: 'elicitation/create', params: { mode: 'form', message: 'Who?' } } },
    });
    const { requestState } = first.result as { requestState: string };
    const inputResponses = { user_name: { action: 'accept', content: { name: 'Ada' } } };
    expect((await callTool(core, { inputResponses, requestState })).result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'Hello, Ada!' }],
    });
    // Spent with the call it belonged to.
    expect((await callTool(core, { inputResponses, requestState })).error?.code).toBe(-32602);
  });

  it('takes an answer without state, as it is the client’s own input', async () => {
    const inputResponses = { user_name: { action: 'accept', content: { name: 'Ada' } } };
    expect((await callTool(core, { inputResponses })).result).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
  });

  it('asks again when the answer has another key, and ignores keys it does not know', async () => {
    expect((await callTool(core, { inputResponses: { other: { action: 'accept' } } })).result).toMatchObject({
      resultType: 'input_required',
    });
    const inputResponses = { user_name: { action: 'decline' }, other: 5, ['__proto__']: {} };
    expect((await callTool(core, { inputResponses })).result).toMatchObject({ content: [{ text: 'decline' }] });
  });

  it.each([null, 5, 'x', []])('refuses inputResponses %j', async (inputResponses) => {
    expect((await callTool(core, { inputResponses })).error?.code).toBe(-32602);
  });

  it.each([12345, {}, { action: 'maybe' }, { action: 'accept', content: { wrong: 1 } }])(
    'never accepts the answer %j',
    async (answer) => {
      expect((await callTool(core, { inputResponses: { user_name: answer } })).error?.code).toBe(-32602);
    },
  );

  it('refuses a forged state, another caller’s, another call’s and one of another type, all alike', async () => {
    const { requestState } = (await callTool(core, {}, forms, 'alice')).result as { requestState: string };
    const answers = await Promise.all([
      callTool(core, { requestState: `${requestState}-TAMPERED` }, forms, 'alice'),
      callTool(core, { requestState }, forms, 'bob'),
      callTool(core, { requestState, arguments: { other: 1 } }, forms, 'alice'),
      callTool(core, { requestState: 5 }, forms, 'alice'),
      callTool(core, { requestState: null }, forms, 'alice'),
    ]);
    for (const { error } of answers) expect(error).toEqual({ code: -32602, message: 'Invalid requestState' });
  });

  it.each([
    ['tools/call', { name: 'a' }, { name: 'b' }, { uri: 'x://a' }],
    ['prompts/get', { name: 'a' }, { name: 'b' }, { uri: 'x://a' }],
    ['resources/read', { uri: 'x://a' }, { uri: 'x://b' }, { name: 'a' }],
  ] as const)('of %s belongs to what was asked for, whatever else a client names', async (method, a, b, decoy) => {
    const handler: Handler = async (_args, context) => `${(await context.roots({ key: 'r' })).length} roots`;
    const named = ['a', 'b'];
    const fixture = coreOf([
      ...named.map((name) => tool(name, handler)),
      ...named.map((name) => ({ kind: 'resource' as const, uri: `x://${name}`, name, source: `R.${name}`, handler })),
      ...named.map((name) => ({
        ...{ kind: 'prompt' as const, name, source: `P.${name}`, handler },
        ...{ arguments: [], input: tool('x', handler).input },
      })),
    ]);
    const sendIt = (params: Record<string, unknown>) =>
      send(fixture, callOf('2026-07-28'), method, { ...decoy, ...params }, { roots: {} });
    const { requestState } = (await sendIt(a)).result as { requestState: string };
    const answered = { requestState, inputResponses: { r: { roots: [] } } };
    expect((await sendIt({ ...b, ...answered })).error).toEqual({ code: -32602, message: 'Invalid requestState' });
    expect((await sendIt({ ...a, ...answered })).outcome.body).toContain('0 roots');
  });

  it('belongs to the arguments as they arrived, whatever the handler makes of them', async () => {
    const handler: Handler = async (args, context) => {
      const own = args as { limit?: number; nested: { seen?: boolean }; gone?: string };
      own.limit = 10;
      own.nested.seen = true;
      delete own.gone;
      return askName(args, context);
    };
    const fixture = coreOf([tool('ask', handler)]);
    const fresh = (): object => ({ arguments: { nested: {}, gone: 'x' } });
    const { requestState } = (await callTool(fixture, { ...fresh() })).result as { requestState: string };
    const replay = { requestState, inputResponses: { user_name: { action: 'decline' } } };
    const changed = { arguments: { nested: { seen: true }, limit: 10 } };
    expect((await callTool(fixture, { ...changed, ...replay })).error?.message).toBe('Invalid requestState');
    expect((await callTool(fixture, { ...fresh(), ...replay })).result).toMatchObject({
      content: [{ text: 'decline' }],
    });
  });

  it('is -32021 when the client did not declare it', async () => {
    const answer = await callTool(core, {}, { sampling: {} });
    expect(answer).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
    });
    expect((await callTool(core, {}, { elicitation: { url: {} } })).error?.code).toBe(-32021);
  });

  it('travels with all others of the same turn, keyed by kind and order', async () => {
    const fixture = coreOf([
      tool('ask', async (_args, context) => {
        const [first, second, roots] = await Promise.all([
          context.elicit({ message: '1', schema: {} }),
          context.elicit({ message: '2', schema: {} }),
          context.roots(),
        ]);
        return JSON.stringify([first.action, second.action, roots.length]);
      }),
    ]);
    const capabilities = { elicitation: {}, roots: {} };
    const first = await callTool(fixture, {}, capabilities);
    expect(Object.keys((first.result as { inputRequests: object }).inputRequests)).toEqual([
      'elicit-1',
      'elicit-2',
      'roots-1',
    ]);
    const inputResponses = {
      'elicit-1': { action: 'cancel' },
      'elicit-2': { action: 'decline' },
      'roots-1': { roots: [{ uri: 'file:///a' }] },
    };
    expect((await callTool(fixture, { inputResponses }, capabilities)).result).toMatchObject({
      content: [{ text: '["cancel","decline",1]' }],
    });
  });

  it('carries answers and steps from round to round, and runs a step once', async () => {
    let charged = 0;
    const fixture = coreOf([
      tool('ask', async (_args, context) => {
        const one = await context.elicit<{ name: string }>({ key: 'one', message: '1', schema: {} });
        const receipt = await context.step('charge', () => ({ number: ++charged, at: new Date(0) }));
        const two = await context.elicit<{ name: string }>({ key: 'two', message: '2', schema: {} });
        return [
          one.action === 'accept' && one.content.name,
          two.action === 'accept' && two.content.name,
          JSON.stringify(receipt),
        ].join(' ');
      }),
    ]);
    const first = (await callTool(fixture)).result as { requestState: string };
    const accept = (name: string) => ({ action: 'accept', content: { name } });
    const second = (await callTool(fixture, { inputResponses: { one: accept('a') }, requestState: first.requestState }))
      .result as {
      requestState: string;
      inputRequests: object;
    };
    expect(Object.keys(second.inputRequests)).toEqual(['two']);
    expect(second.requestState).not.toBe(first.requestState);
    const third = await callTool(fixture, { inputResponses: { two: accept('b') }, requestState: second.requestState });
    expect(third.result).toMatchObject({ content: [{ text: 'a b {"number":1,"at":"1970-01-01T00:00:00.000Z"}' }] });
    expect(charged).toBe(1);
  });

  it('is not possible in completion, and says so', async () => {
    const fixture = coreOf([
      { kind: 'template', uriTemplate: 'x://{v}', name: 'x', source: 'T.x', handler: () => 'x' },
      {
        kind: 'completion',
        source: 'T.c',
        handler: (_i, context) => context.roots().then(() => []),
        ref: { type: 'ref/resource', uri: 'x://{v}' },
        argument: 'v',
      },
    ]);
    const params = { ref: { type: 'ref/resource', uri: 'x://{v}' }, argument: { name: 'v', value: '' } };
    const { error } = await send(fixture, callOf('2026-07-28'), 'completion/complete', params, { roots: {} });
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('completion/complete') });
  });

  it('ends a read and a prompt as well', async () => {
    const handler: Handler = async (_args, context) => `${(await context.roots({ key: 'r' })).length} roots`;
    const fixture = coreOf([
      { kind: 'resource', uri: 'x://r', name: 'r', source: 'R.r', handler },
      { kind: 'prompt', name: 'p', source: 'P.p', handler, arguments: [], input: tool('x', handler).input },
    ]);
    const inputResponses = { r: { roots: [] } };
    for (const [method, params] of [
      ['resources/read', { uri: 'x://r' }],
      ['prompts/get', { name: 'p' }],
    ] as const) {
      const first = await send(fixture, callOf('2026-07-28'), method, params, { roots: {} });
      expect(first.result).toMatchObject({
        resultType: 'input_required',
        inputRequests: { r: { method: 'roots/list' } },
      });
      expect(first.result).not.toHaveProperty('ttlMs');
      const second = await send(fixture, callOf('2026-07-28'), method, { ...params, inputResponses }, { roots: {} });
      expect(second.outcome.body).toContain('0 roots');
    }
  });
});

describe('a question in handshake revisions', () => {
  const core = coreOf([tool('ask', askName)]);
  const able = conversationOf({ clientCapabilities: { elicitation: {} } });

  it('is a request to the client', async () => {
    const asked: unknown[] = [];
    const ask = (method: string, params: object | undefined) => {
      asked.push([method, params]);
      return Promise.resolve({ action: 'accept', content: { name: 'Bo' } });
    };
    const answer = await send(core, callOf('2025-11-25', { conversation: able, ask }), 'tools/call', { name: 'ask' });
    expect(answer.result).toMatchObject({ content: [{ text: 'Hello, Bo!' }] });
    await send(core, callOf('2025-06-18', { conversation: able, ask }), 'tools/call', { name: 'ask' });
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    expect(asked).toEqual([
      ['elicitation/create', { mode: 'form', message: 'Who?', requestedSchema }],
      ['elicitation/create', { message: 'Who?', requestedSchema }],
    ]);
  });

  it('knows a time-out from a refusal', async () => {
    const ask = () => Promise.reject(new QuestionTimeout());
    const answer = await send(core, callOf('2025-11-25', { conversation: able, ask }), 'tools/call', { name: 'ask' });
    expect(answer.result).toMatchObject({ content: [{ text: 'timeout' }] });
  });

  it('is a clear error when the client cannot be asked', async () => {
    const error = async (fixture: ReturnType<typeof callOf>) =>
      (await send(core, fixture, 'tools/call', { name: 'ask' })).error;
    const ask = () => Promise.resolve({});
    expect(await error(callOf('2025-11-25'))).toMatchObject({
      code: -32603,
      message: expect.stringContaining('session'),
    });
    expect(await error(callOf('2025-11-25', { ask, conversation: conversationOf() }))).toMatchObject({
      message: expect.stringContaining('did not declare'),
    });
    expect(await error(callOf('2025-03-26', { ask, conversation: able }))).toMatchObject({
      message: expect.stringContaining('2025-03-26'),
    });
  });
});

describe('progress and log', () => {
  it('are said only when asked for, rising, and never after the result', async () => {
    let later: (() => void) | undefined;
    const core = coreOf([
      tool('work', (_args, context) => {
        for (const done of [1, 1, 0.5, 2, Number.NaN]) context.progress(done, 3, 'working');
        context.log('debug', 'low');
        context.log('error', { at: new Date(0) }, 'db');
        later = () => context.progress(3);
        return 'done';
      }),
    ]);
    const silent = callOf('2026-07-28');
    await send(core, silent, 'tools/call', { name: 'work' });
    expect(silent.sent).toEqual([]);
    const loud = callOf('2026-07-28');
    await send(core, loud, 'tools/call', {
      name: 'work',
      _meta: { progressToken: 0, 'io.modelcontextprotocol/logLevel': 'info' },
    });
    later?.();
    expect(loud.sent).toEqual([
      { method: 'notifications/progress', params: { progressToken: 0, progress: 1, total: 3, message: 'working' } },
      { method: 'notifications/progress', params: { progressToken: 0, progress: 2, total: 3, message: 'working' } },
      {
        method: 'notifications/message',
        params: { level: 'error', logger: 'db', data: { at: '1970-01-01T00:00:00.000Z' } },
      },
    ]);
  });

  it('refuse a level that does not exist', async () => {
    const core = coreOf([tool('t', () => 'x')]);
    const answer = await send(core, callOf('2026-07-28'), 'tools/call', {
      name: 't',
      _meta: { 'io.modelcontextprotocol/logLevel': 'loud' },
    });
    expect(answer.error?.code).toBe(-32602);
  });

  it('honour the level of the conversation in handshake revisions', async () => {
    const core = coreOf([
      tool('t', (_args, context) => {
        context.log('info', 'a');
        context.log('error', 'b');
        return 'x';
      }),
    ]);
    const levels = async (logLevel?: 'error') => {
      const fixture = callOf('2025-06-18', { conversation: conversationOf({ logLevel }) });
      await send(core, fixture, 'tools/call', { name: 't' });
      return fixture.sent.map(({ params }) => params['level']);
    };
    expect(await levels()).toEqual(['info', 'error']);
    expect(await levels('error')).toEqual(['error']);
    const stateless = callOf('2025-06-18');
    await send(core, stateless, 'tools/call', { name: 't' });
    expect(stateless.sent).toEqual([]);
  });
});
