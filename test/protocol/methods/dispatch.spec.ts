import { describe, expect, it } from 'vitest';
import type {
  CompletionDefinition,
  Definition,
  PromptDefinition,
  ResourceDefinition,
} from '../../../src/protocol/catalog/entries.js';
import { CallCancelled } from '../../../src/protocol/call.js';
import { HandlerRefusal, McpError, McpNotFound, McpToolError } from '../../../src/protocol/errors.js';
import { allow, confirm, deny } from '../../../src/protocol/gate.js';
import type { CallEnd, CallStart } from '../../../src/protocol/observation.js';
import type { ServerOptions } from '../../../src/protocol/server-options.js';
import { anyArguments, callOf, conversationOf, coreOf, send, tool, type Answer } from '../core-fixture.js';
import { coreClient, DECLARED, gate, modernClient, sleep, taskCore } from './task-fixture.js';

interface Seen {
  readonly start: CallStart;
  readonly end: CallEnd;
}

/** A core whose calls are followed. */
function followed(definitions: readonly Definition[], more: Partial<ServerOptions> = {}) {
  const seen: Seen[] = [];
  let begun = 0;
  const fixture = coreOf(definitions, {
    observe: (start) => {
      begun += 1;
      return { run: (work) => work(), end: (end) => void seen.push({ start, end }) };
    },
    ...more,
  });
  return { ...fixture, seen, begun: () => begun, ends: () => seen.map(({ end }) => end) };
}

const OK: CallEnd = {
  isError: false,
  error: undefined,
  code: undefined,
  threw: false,
  inputRequired: false,
  resultBytes: 0,
  decision: 'none',
};

function thrower(error: unknown): () => never {
  return () => {
    throw error;
  };
}

function text({ result }: Answer): string {
  const [block] = (result?.['content'] ?? []) as { text: string }[];
  return block?.text ?? '';
}

describe('a call that is followed', () => {
  it('tells what it was about and the bytes of its result', async () => {
    const fixture = followed([tool('greet', () => 'grüße €😀')]);
    const answer = await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'greet' });
    expect(fixture.seen).toHaveLength(1);
    const [{ start, end }] = fixture.seen as [Seen];
    expect(start.subject).toMatchObject({ kind: 'tool', name: 'greet', source: 'Tools.greet' });
    expect(end).toEqual({ ...OK, resultBytes: Buffer.byteLength(JSON.stringify(answer.result)) });
  });

  it('has the same bytes in every revision', async () => {
    const fixture = followed([tool('greet', () => ({ content: [], _meta: { 'example.com/a': 'é' } }))]);
    await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'greet' });
    await send(fixture, callOf('2026-07-28'), 'tools/call', { name: 'greet' });
    expect(fixture.ends()[0]).toEqual(fixture.ends()[1]);
  });

  it('is none when the tool is unknown, or hidden, or its arguments are refused', async () => {
    const input = {
      ...anyArguments,
      parse: () => ({ ok: false, violations: [{ path: 'a', rule: 'is required' }] }) as const,
    };
    const fixture = followed([tool('picky', () => 'x', { input }), tool('hidden', () => 'x')], {
      visibility: ({ key }) => key !== 'hidden',
    });
    for (const name of ['nobody', 'hidden', 'picky']) await send(fixture, callOf('2025-06-18'), 'tools/call', { name });
    expect(fixture.begun()).toBe(0);
  });

  it.each<[string, unknown, Partial<CallEnd>]>([
    ['what the model is told', new McpToolError('SECRET'), { error: 'tool_error' }],
    ['an accident', new RangeError('SECRET'), { error: 'RangeError', threw: true }],
    ['something that is no error', 'SECRET', { error: 'thrown_string', threw: true }],
    ['a refusal of the method', new HandlerRefusal('method', 409, 'SECRET'), { error: 'http_409' }],
    ['a refusal by a guard', new HandlerRefusal('guard', 403, 'SECRET'), { error: 'http_403' }],
    ['a 401', new HandlerRefusal('authorization', 401, 'SECRET'), { error: 'http_401', code: -32600, resultBytes: 0 }],
    ['an answer of the protocol', new McpError(1234, 'SECRET'), { error: '1234', code: 1234, resultBytes: 0 }],
    ['a code of the specification', new McpError(-32050, 'SECRET'), { error: '-32603', code: -32603, resultBytes: 0 }],
  ])('that throws %s says so, without its words', async (_what, error, expected) => {
    const fixture = followed([tool('fail', thrower(error))]);
    await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'fail' });
    expect(fixture.ends()).toEqual([{ ...OK, isError: true, resultBytes: expect.any(Number), ...expected }]);
    expect(JSON.stringify(fixture.ends())).not.toContain('SECRET');
  });

  it('names the class of an error by its constructor, which no caller can write', async () => {
    const named = Object.assign(new RangeError('x'), { name: 'SECRET argument' });
    const odd = new (class extends Error {})('x');
    Object.defineProperty(odd.constructor, 'name', { value: 'SECRET argument' });
    const fixture = followed([tool('one', thrower(named)), tool('two', thrower(odd))]);
    await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'one' });
    await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'two' });
    expect(fixture.ends().map(({ error }) => error)).toEqual(['RangeError', 'Error']);
  });

  it('that returns a failure is one', async () => {
    const fixture = followed([tool('fail', () => ({ content: [{ type: 'text', text: 'no' }], isError: true }))]);
    await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'fail' });
    expect(fixture.ends()).toMatchObject([{ isError: true, error: 'tool_error', threw: false }]);
  });

  it('that the client cancelled is cancelled, whatever its handler throws then', async () => {
    const { call, abort } = callOf('2025-06-18');
    const handler = () => {
      abort.abort(new CallCancelled('gone'));
      throw new RangeError('aborted');
    };
    const fixture = followed([tool('fail', handler)]);
    await send(fixture, { call }, 'tools/call', { name: 'fail' });
    expect(fixture.ends()).toEqual([{ ...OK, isError: true, error: 'cancelled' }]);
  });

  it.each([
    ['allowed', () => allow, { isError: false, decision: 'allow', error: undefined }],
    ['denied', () => deny('no'), { isError: true, decision: 'deny', error: 'denied' }],
    [
      'denied by a gate that throws',
      thrower(new TypeError('SECRET')),
      { isError: true, decision: 'deny', error: 'TypeError' },
    ],
    ['in need of consent', () => confirm('sure?'), { isError: true, decision: 'confirm', error: 'denied' }],
    ['replaced', () => confirm('sure?', 'instead'), { isError: false, decision: 'confirm', error: undefined }],
  ] as const)('that is %s tells what the gate said', async (_what, decide, expected) => {
    const fixture = followed([tool('wipe', () => 'wiped')], { gate: decide });
    await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'wipe' });
    expect(fixture.ends()).toMatchObject([expected]);
  });

  it.each(['accept', 'decline', 'cancel'] as const)('tells that the user chose to %s', async (action) => {
    const fixture = followed([tool('wipe', () => 'wiped')], { gate: () => confirm('sure?') });
    const conversation = conversationOf({ clientCapabilities: { elicitation: {} } });
    const { call } = callOf('2025-06-18', { conversation, ask: async () => ({ action }) });
    await send(fixture, { call }, 'tools/call', { name: 'wipe' });
    expect(fixture.ends()).toMatchObject([{ decision: action, isError: action !== 'accept' }]);
  });

  it('tells of each pass of a call that asks (2026-07-28)', async () => {
    const fixture = followed([
      tool('ask', async (_args, context) => (await context.elicit({ message: 'who?', schema: {} })).action),
      tool('greedy', async (_args, context) => {
        await context.elicit({ message: 'who?', schema: {} }).catch(() => undefined);
        return 'not sent';
      }),
      tool('stuck', async (_args, context) => {
        await context.elicit({ message: 'who?', schema: {} }).catch(() => new Promise(() => undefined));
      }),
    ]);
    for (const name of ['ask', 'greedy', 'stuck']) {
      const answer = await send(fixture, callOf('2026-07-28'), 'tools/call', { name }, { elicitation: {} });
      expect(answer.result).toMatchObject({ resultType: 'input_required' });
    }
    await sleep(5);
    expect(fixture.ends()).toEqual([1, 2, 3].map(() => ({ ...OK, inputRequired: true })));
  });

  it('is a resource, a prompt or a completion too', async () => {
    const resource: ResourceDefinition = {
      kind: 'resource',
      uri: 'test://SECRET',
      name: 'page',
      source: 'R.page',
      handler: () => 'text',
    };
    const missing: ResourceDefinition = {
      ...resource,
      uri: 'test://gone',
      name: 'gone',
      handler: thrower(new McpNotFound()),
    };
    const prompt: PromptDefinition = {
      kind: 'prompt',
      name: 'ask',
      source: 'P.ask',
      arguments: [{ name: 'place', required: false }],
      input: anyArguments,
      handler: () => 'hello',
    };
    const completion: CompletionDefinition = {
      kind: 'completion',
      source: 'P.places',
      ref: { type: 'ref/prompt', name: 'ask' },
      argument: 'place',
      handler: thrower(new Error('SECRET')),
    };
    const fixture = followed([resource, missing, prompt, completion]);
    const call = callOf('2025-06-18');
    await send(fixture, call, 'resources/read', { uri: 'test://SECRET' });
    await send(fixture, call, 'resources/read', { uri: 'test://gone' });
    await send(fixture, call, 'resources/read', { uri: 'test://unknown' });
    await send(fixture, call, 'prompts/get', { name: 'ask' });
    await send(fixture, call, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'ask' },
      argument: { name: 'place', value: 'B' },
    });
    expect(
      fixture.seen.map(({ start: { subject }, end }) => [subject.kind, subject.name, end.error, end.code]),
    ).toEqual([
      ['resource', 'page', undefined, undefined],
      ['resource', 'gone', '-32002', -32002],
      ['prompt', 'ask', undefined, undefined],
      ['completion', 'ask', 'Error', -32603],
    ]);
  });

  it.each([
    ['2025-11-25', coreClient(), { task: {} }, {}],
    ['2026-07-28', modernClient(), {}, DECLARED],
  ] as const)('that became a task ends with the task (%s)', async (_revision, client, params, capabilities) => {
    const door = gate();
    const ends: CallEnd[] = [];
    const handler = async () => {
      await door.opened;
      return 'done';
    };
    const fixture = taskCore(
      [tool('work', handler, { task: 'allowed' })],
      {},
      {},
      {
        observe: () => ({ run: (work) => work(), end: (end) => void ends.push(end) }),
      },
    );
    await send(fixture, client, 'tools/call', { name: 'work', ...params }, capabilities);
    expect(ends).toEqual([]);
    door.open();
    await sleep(5);
    expect(ends).toMatchObject([{ isError: false }]);
    expect(ends[0]?.resultBytes).toBeGreaterThan(20);
  });
});

describe('a call with a time limit', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  it('that is over fails with a text for the model, and the signal is aborted', async () => {
    let signal: AbortSignal | undefined;
    const handler = (_args: unknown, context: { readonly signal: AbortSignal }) => {
      signal = context.signal;
      return never();
    };
    const fixture = followed([tool('slow', handler, { timeoutMs: 10 })]);
    const answer = await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'slow' });
    expect(answer.result).toMatchObject({ isError: true });
    expect(text(answer)).toBe('slow: No result within 10 ms');
    expect(signal?.aborted).toBe(true);
    expect(fixture.ends()).toMatchObject([{ isError: true, error: 'timeout', threw: true }]);
    expect(fixture.logged).toEqual([]);
  });

  it('of the server is the tool’s when it names none', async () => {
    const fixture = coreOf([tool('slow', never), tool('patient', () => sleep(30), { timeoutMs: 1_000 })], {
      limits: { callTimeoutMs: 10 },
    });
    expect(text(await send(fixture, callOf('2026-07-28'), 'tools/call', { name: 'slow' }))).toContain('10 ms');
    expect((await send(fixture, callOf('2026-07-28'), 'tools/call', { name: 'patient' })).result).toMatchObject({
      isError: false,
    });
  });

  it('of a resource is an error', async () => {
    const resource = { kind: 'resource', uri: 'test://a', name: 'a', source: 'R.a', handler: never } as const;
    const fixture = coreOf([resource], { limits: { callTimeoutMs: 10 } });
    const { error } = await send(fixture, callOf('2026-07-28'), 'resources/read', { uri: 'test://a' });
    expect(error).toEqual({ code: -32603, message: 'No result within 10 ms' });
  });

  it('does not count the time that the client takes to answer', async () => {
    const handler = async (_args: unknown, context: Parameters<Parameters<typeof tool>[1]>[1]) =>
      (await context.elicit({ message: 'who?', schema: {} })).action;
    const fixture = coreOf([tool('ask', handler, { timeoutMs: 20 })]);
    const conversation = conversationOf({ clientCapabilities: { elicitation: {} } });
    const ask = async () => {
      await sleep(60);
      return { action: 'decline' };
    };
    const answer = await send(fixture, callOf('2025-06-18', { conversation, ask }), 'tools/call', { name: 'ask' });
    expect(text(answer)).toBe('decline');
  });

  it('sets no timer when there is none', async () => {
    let timers = 0;
    const fixture = coreOf([tool('quick', () => 'x')], { after: () => (timers++, () => undefined) });
    await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'quick' });
    expect(timers).toBe(0);
  });
});

describe('a result', () => {
  it('longer than its tool may send is a failed call', async () => {
    const fixture = followed([tool('long', () => 'é'.repeat(100), { maxOutputBytes: 200 })], {
      limits: { maxOutputBytes: 10_000 },
    });
    const answer = await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'long' });
    expect(answer.result).toMatchObject({ isError: true });
    expect(text(answer)).toBe('long: The result is longer than 200 bytes: ask for less');
    expect(fixture.ends()).toMatchObject([{ error: 'too_large', threw: false }]);
  });

  it('may be exactly as long as allowed', async () => {
    const fixture = coreOf([tool('fit', () => 'é')], {
      limits: { maxOutputBytes: Buffer.byteLength('{"content":[{"type":"text","text":"é"}],"isError":false}') },
    });
    expect(text(await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'fit' }))).toBe('é');
  });

  it('of a resource longer than allowed is an error', async () => {
    const resource = {
      kind: 'resource',
      uri: 'test://a',
      name: 'a',
      source: 'R.a',
      handler: () => 'x'.repeat(99),
    } as const;
    const fixture = coreOf([resource], { limits: { maxOutputBytes: 64 } });
    const { error } = await send(fixture, callOf('2025-06-18'), 'resources/read', { uri: 'test://a' });
    expect(error).toMatchObject({ code: -32603, message: 'The result is longer than 64 bytes: ask for less' });
  });
});

describe('calls at once', () => {
  function held(more: Parameters<typeof tool>[2], options: Partial<ServerOptions> = {}) {
    const door = gate();
    const handler = async () => {
      await door.opened;
      return 'done';
    };
    const fixture = followed([tool('work', handler, more), tool('other', () => 'other')], options);
    const call = (identityKey?: string, name = 'work') =>
      send(fixture, callOf('2025-06-18', identityKey === undefined ? {} : { identityKey }), 'tools/call', { name });
    return { ...fixture, door, call };
  }

  it('of one tool are as many as it allows; the model is told to wait', async () => {
    const { call, door, ends } = held({ maxConcurrent: 2 });
    const running = [call(), call()];
    const refused = await call();
    expect(refused).toMatchObject({ status: 200, result: { isError: true } });
    expect(text(refused)).toBe('work is busy: at most 2 calls of it run at once. Try again in 1 s');
    expect(ends()).toMatchObject([{ isError: true, error: 'busy', threw: false }]);
    expect(text(await call(undefined, 'other'))).toBe('other');
    door.open();
    expect((await Promise.all(running)).map(text)).toEqual(['done', 'done']);
    expect(text(await call())).toBe('done');
  });

  it('of one tool count until the method is done, even when it timed out', async () => {
    const { call, door } = held({ maxConcurrent: 1, timeoutMs: 5 });
    expect(text(await call())).toContain('5 ms');
    expect(text(await call())).toContain('busy');
    door.open();
    await sleep();
    expect(text(await call())).toBe('done');
  });

  it('are as many as the server allows; one more is refused with a hint', async () => {
    const { call, door, ends } = held({}, { limits: { inFlight: 2 } });
    const running = [call('a'), call('b')];
    const refused = await call('c');
    expect(refused).toMatchObject({
      status: 503,
      outcome: { retryAfterS: 1 },
      error: { code: -32603, message: 'The server is busy: try again in 1 s', data: { retryAfterMs: 1_000 } },
    });
    expect(ends()).toMatchObject([{ isError: true, error: 'busy', code: -32603, threw: false }]);
    door.open();
    await Promise.all(running);
    expect((await call('c')).status).toBe(200);
  });

  it('are as many as one caller may have; callers without a key are one', async () => {
    const { call, door } = held({}, { limits: { inFlightPerCaller: 1 } });
    const running = [call('a'), call('b'), call()];
    for (const key of ['a', undefined]) {
      expect(await call(key)).toMatchObject({ status: 429, outcome: { retryAfterS: 1 } });
    }
    door.open();
    await Promise.all(running);
    expect((await call('a')).status).toBe(200);
  });

  it('do not count what was refused, denied or failed', async () => {
    const { call } = held({}, { limits: { inFlight: 1 }, gate: () => deny('no') });
    for (let turn = 0; turn < 3; turn += 1) expect(text(await call())).toBe('no');
  });

  it('do not count a handler that waits for nothing after its pass ended (2026-07-28)', async () => {
    const stuck = tool('stuck', async (_args, context) => {
      await context.elicit({ message: 'who?', schema: {} }).catch(() => new Promise(() => undefined));
    });
    const fixture = coreOf([stuck], { limits: { inFlight: 1 } });
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await send(fixture, callOf('2026-07-28'), 'tools/call', { name: 'stuck' }, { elicitation: {} });
      expect(answer.result).toMatchObject({ resultType: 'input_required' });
    }
  });
});
