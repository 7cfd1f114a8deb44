import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallCancelled } from '../../../src/protocol/call.js';
import { META } from '../../../src/protocol/envelope.js';
import { HandlerRefusal, McpError, McpToolError } from '../../../src/protocol/errors.js';
import { TASKS_EXTENSION } from '../../../src/protocol/tasks/task-access.js';
import { coreOf, send, tool } from '../core-fixture.js';
import { DECLARED, gate, modern, modernClient, reached, sleep, started, taskCore } from './task-fixture.js';

const quick = tool('quick', () => 'done', { task: 'allowed' });
const always = tool('always', () => 'done', { task: 'always' });
const never = tool('never', () => 'done');
const LEGACY_ONLY = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const NEEDED = { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } };

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  await sleep(5);
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

describe('what is declared of tasks in 2026-07-28', () => {
  it('is the extension and never the capability of 2025-11-25 (XTASK-01, XTASK-25)', async () => {
    const { result } = await modern(taskCore([quick]), modernClient(), 'server/discover');
    expect(result?.['capabilities']).toMatchObject({ extensions: { [TASKS_EXTENSION]: {} } });
    expect(result?.['capabilities']).not.toHaveProperty('tasks');
  });

  it.each([
    ['no tool may become a task', taskCore([never])],
    ['no tasks are kept', coreOf([always])],
  ])('is nothing, and nothing is served, when %s', async (_why, fixture) => {
    const { result } = await modern(fixture, modernClient(), 'server/discover');
    expect(result?.['capabilities']).not.toHaveProperty('extensions');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect(await modern(fixture, modernClient(), method, { taskId: 'x' })).toMatchObject({
        status: 404,
        error: { code: -32601 },
      });
    }
  });

  it.each(['tasks/result', 'tasks/list'])('does not include %s (XTASK-20)', async (method) => {
    const answer = await modern(taskCore([quick]), modernClient(), method, { taskId: 'x' });
    expect(answer).toMatchObject({ status: 404, error: { code: -32601 } });
  });

  it('runs a tool that is always a task synchronously where no tasks are kept', async () => {
    const { result } = await modern(coreOf([always]), modernClient(), 'tools/call', { name: 'always' });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
  });
});

describe('a modern call of a tool that may be a task', () => {
  it('is answered with a flat task (XTASK-05, XTASK-06, XTASK-23)', async () => {
    const { result } = await modern(taskCore([quick]), modernClient(), 'tools/call', { name: 'quick' });
    expect(result).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/) as string,
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      ttlMs: 60_000,
      pollIntervalMs: 2_000,
      _meta: expect.anything() as object,
    });
  });

  it('can be read at once (XTASK-07)', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })]);
    const taskId = await started(fixture, modernClient(), 'slow');
    const { result } = await modern(fixture, modernClient(), 'tasks/get', { taskId });
    expect(result).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    open();
  });

  it('is not answered before the store has the task (XTASK-07)', async () => {
    const fixture = taskCore([quick]);
    const { store } = fixture;
    const create = store.create.bind(store);
    const { opened, open } = gate();
    const slow = { get: store.get.bind(store), list: store.list.bind(store), update: store.update.bind(store) };
    const other = taskCore([quick], { store: { ...slow, create: async (task) => (await opened, create(task)) } });
    let answered = false;
    const waiting = modern(other, modernClient(), 'tools/call', { name: 'quick' }).finally(() => (answered = true));
    await sleep(10);
    expect(answered).toBe(false);
    open();
    expect((await waiting).result).toMatchObject({ resultType: 'task' });
  });

  it.each([{}, LEGACY_ONLY, { extensions: {} }, { extensions: { [TASKS_EXTENSION]: true } }])(
    'is an ordinary call for a client that declares %j (XTASK-02, XTASK-25)',
    async (capabilities) => {
      const fixture = taskCore([quick]);
      await started(fixture, modernClient(), 'quick');
      const { result } = await send(fixture, modernClient(), 'tools/call', { name: 'quick' }, capabilities);
      expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
    },
  );

  it.each([{}, LEGACY_ONLY])(
    'is refused by a tool that always is one for a client that declares %j (XTASK-03)',
    async (declared) => {
      const answer = await send(taskCore([always]), modernClient(), 'tools/call', { name: 'always' }, declared);
      expect(answer).toMatchObject({ status: 400, error: { code: -32021, data: NEEDED } });
    },
  );

  it('ignores the `task` parameter of 2025-11-25', async () => {
    const fixture = taskCore([quick, never]);
    for (const task of [{ ttl: 5 }, 'nonsense']) {
      const one = await modern(fixture, modernClient(), 'tools/call', { name: 'never', task });
      expect(one.result).toMatchObject({ resultType: 'complete' });
      const other = await modern(fixture, modernClient(), 'tools/call', { name: 'quick', task });
      expect(other.result).toMatchObject({ resultType: 'task', ttlMs: 60_000 });
    }
  });

  it('is answered at once when its arguments are refused', async () => {
    const picky = tool('picky', () => 'x', {
      task: 'always',
      input: {
        wire: { type: 'object' },
        parse: () => ({ ok: false, violations: [{ path: 'a', rule: 'is required' }] }),
      },
    });
    const { result } = await modern(taskCore([picky]), modernClient(), 'tools/call', { name: 'picky' });
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
  });

  it('keeps the status and challenge of a guard that refuses it at once', async () => {
    const guarded = tool(
      'guarded',
      () => {
        throw new HandlerRefusal('authorization', 403, 'no', 'Bearer scope="more"');
      },
      { task: 'always' },
    );
    const { outcome } = await modern(taskCore([guarded]), modernClient(), 'tools/call', { name: 'guarded' });
    expect(outcome).toMatchObject({ status: 403, challenge: 'Bearer scope="more"' });
  });

  it.each([
    ['is full', () => undefined],
    [
      'fails',
      () => {
        throw new Error('secret');
      },
    ],
  ])('is an ordinary call when the store %s: its work has begun (LTASK-22)', async (_why, create) => {
    let runs = 0;
    const slow = tool(
      'slow',
      async (_args, context) => {
        runs += 1;
        await sleep(2);
        context.progress(1);
        const { action } = await context.elicit({ message: 'Who?', schema: {} });
        return action;
      },
      { task: 'always' },
    );
    const fixture = taskCore([slow]);
    fixture.store.create = create;
    const first = await modern(fixture, modernClient(), 'tools/call', { name: 'slow', _meta: { progressToken: 1 } });
    expect(first.result).toMatchObject({ resultType: 'input_required' });
    const client = modernClient();
    const inputResponses = { 'elicit-1': { action: 'decline' } };
    const second = await modern(fixture, client, 'tools/call', {
      name: 'slow',
      inputResponses,
      requestState: first.result?.['requestState'],
      _meta: { progressToken: 1 },
    });
    expect(second.result).toMatchObject({ resultType: 'complete', content: [{ text: 'decline' }] });
    expect(client.sent).toMatchObject([{ method: 'notifications/progress' }]);
    expect(runs).toBe(2);
    expect(JSON.stringify(second.result)).not.toContain('secret');
  });

  it('is cancelled with its call as long as it is no task', async () => {
    let reason: unknown;
    const slow = tool(
      'slow',
      (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(signal.reason as Error);
          });
        }),
      { task: 'allowed' },
    );
    const fixture = taskCore([slow]);
    fixture.store.create = () => undefined;
    const client = modernClient();
    const waiting = modern(fixture, client, 'tools/call', { name: 'slow' });
    await sleep(5);
    client.abort.abort(new CallCancelled('left'));
    expect((await waiting).outcome.silent).toBe(true);
    expect(reason).toBeInstanceOf(CallCancelled);
  });

  it('makes no task for a client that left during the first turn', async () => {
    const fixture = taskCore([quick]);
    const client = modernClient();
    const waiting = modern(fixture, client, 'tools/call', { name: 'quick' });
    client.abort.abort(new CallCancelled('left'));
    await waiting;
    expect(fixture.store.size).toBe(0);
  });
});

describe('tasks/get of the extension', () => {
  it('inlines the result exactly as the call would have given it (XTASK-08, XTASK-09)', async () => {
    const fixture = taskCore([tool('both', () => ({ a: 1, text: 'ü' }), { task: 'allowed' })]);
    const taskId = await started(fixture, modernClient(), 'both');
    const task = await reached(fixture, modernClient(), { taskId, status: 'completed' });
    const plain = await send(fixture, modernClient(), 'tools/call', { name: 'both' });
    expect(task).toMatchObject({ resultType: 'complete', result: plain.result });
    expect(task).not.toHaveProperty('error');
    expect(task).not.toHaveProperty('inputRequests');
    expect(JSON.stringify(task)).not.toContain('related-task');
  });

  it.each([
    ['an error for the model', new McpToolError('no paper', { tray: 2 })],
    ['a fault', new Error('secret')],
    ['a refusal by the host', new HandlerRefusal('method', 429, 'slow down')],
  ])('calls a tool that reported %s completed (XTASK-10)', async (_what, thrown) => {
    const failing = tool('failing', () => Promise.reject(thrown), { task: 'always' });
    const fixture = taskCore([failing]);
    const taskId = await started(fixture, modernClient(), 'failing');
    const task = await reached(fixture, modernClient(), { taskId, status: 'completed' });
    expect(task).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(task)).not.toContain('secret');
  });

  it('tells of a guard that refused later as the tool result it then is', async () => {
    const guarded = tool(
      'guarded',
      async () => {
        await sleep(1);
        throw new HandlerRefusal('authorization', 401, 'who are you');
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([guarded]);
    const taskId = await started(fixture, modernClient(), 'guarded');
    expect(await reached(fixture, modernClient(), { taskId, status: 'completed' })).toMatchObject({
      result: { isError: true, content: [{ text: 'Unauthorized' }] },
    });
  });

  it('calls failed what ended in a JSON-RPC error, with that error (XTASK-10, XTASK-11)', async () => {
    const failing = tool('failing', () => Promise.reject(new McpError(-5, 'broken', { part: 1 })), { task: 'allowed' });
    const fixture = taskCore([failing]);
    const taskId = await started(fixture, modernClient(), 'failing');
    const task = await reached(fixture, modernClient(), { taskId, status: 'failed' });
    expect(task).toMatchObject({
      resultType: 'complete',
      statusMessage: 'broken',
      error: { code: -5, message: 'broken', data: { part: 1 } },
    });
    expect(task).not.toHaveProperty('result');
  });

  it('hides codes of the specification that an author used', async () => {
    const failing = tool('failing', () => Promise.reject(new McpError(-32021, 'mine')), { task: 'allowed' });
    const fixture = taskCore([failing]);
    const taskId = await started(fixture, modernClient(), 'failing');
    expect(await reached(fixture, modernClient(), { taskId, status: 'failed' })).toMatchObject({
      error: { code: -32603, message: 'Internal error' },
    });
  });

  it('survives a store that fails to take the outcome', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })]);
    const taskId = await started(fixture, modernClient(), 'slow');
    fixture.store.update = () => {
      throw new Error('disk full');
    };
    open();
    await expect.poll(() => fixture.logged.some(({ message }) => message.startsWith('The task store'))).toBe(true);
    await reached(fixture, modernClient(), { taskId, status: 'working' });
  });
});

describe('the methods of the extension', () => {
  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    '%s needs the extension before it looks at the id (XTASK-19)',
    async (method) => {
      const fixture = taskCore([quick]);
      for (const declared of [{}, LEGACY_ONLY]) {
        for (const params of [{ taskId: 'nothing' }, {}]) {
          expect(await send(fixture, modernClient(), method, params, declared)).toMatchObject({
            status: 400,
            error: { code: -32021, data: NEEDED },
          });
        }
      }
    },
  );

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s refuses an unknown id (XTASK-18)', async (method) => {
    const fixture = taskCore([quick]);
    for (const params of [{ taskId: 'nothing', inputResponses: {} }, { inputResponses: {} }]) {
      expect(await modern(fixture, modernClient(), method, params)).toMatchObject({
        status: 200,
        error: { code: -32602 },
      });
    }
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    "%s does not know another caller's task (XTASK-23)",
    async (method) => {
      const fixture = taskCore([quick]);
      const taskId = await started(fixture, modernClient({ identityKey: 'ann' }), 'quick');
      for (const identityKey of ['bob', undefined]) {
        const answer = await modern(fixture, modernClient({ identityKey }), method, { taskId, inputResponses: {} });
        expect(answer.error).toEqual({ code: -32602, message: 'Unknown task' });
      }
    },
  );

  it('repeat the id in Mcp-Name', async () => {
    const { core } = taskCore([quick]);
    const message = { kind: 'request', id: 1, method: 'tasks/get', params: { taskId: 't' } } as const;
    expect(await core.mirrored(message, modernClient().call)).toEqual([{ header: 'Mcp-Name', value: 't' }]);
  });

  it('acknowledge a cancellation with an empty result, the second one too (XTASK-16)', async () => {
    let signal: AbortSignal | undefined;
    const slow = tool('slow', (_args, context) => ((signal = context.signal), new Promise(() => undefined)), {
      task: 'allowed',
    });
    const fixture = taskCore([slow]);
    const taskId = await started(fixture, modernClient(), 'slow');
    for (const _turn of [1, 2]) {
      const { result } = await modern(fixture, modernClient(), 'tasks/cancel', { taskId });
      expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'resultType']);
      expect(result?.['resultType']).toBe('complete');
    }
    await reached(fixture, modernClient(), { taskId, status: 'cancelled' });
    expect(signal?.reason).toBeInstanceOf(CallCancelled);
  });

  it('are the only way to cancel: the end of the creating call is none (XTASK-17)', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })]);
    const creator = modernClient();
    const taskId = await started(fixture, creator, 'slow');
    creator.abort.abort(new CallCancelled('closed'));
    await sleep(5);
    open();
    await reached(fixture, modernClient(), { taskId, status: 'completed' });
  });
});

describe('questions of a tool that becomes a task', () => {
  const ask = { message: 'Who?', schema: {} };
  const accept = (name: string): object => ({ action: 'accept', content: { name } });
  const greeting = tool(
    'greeting',
    async (_args, context) => {
      const outcome = await context.elicit({ ...ask, key: 'user_name' });
      await sleep(2);
      return outcome.action === 'accept' ? `Hello ${String(outcome.content['name'])}` : outcome.action;
    },
    { task: 'always' },
  );
  const later = (keys: readonly (string | undefined)[]) =>
    tool(
      'later',
      async (_args, context) => {
        await sleep(1);
        const outcomes = await Promise.all(
          keys.map((key) => context.elicit(key === undefined ? ask : { ...ask, key })),
        );
        return outcomes
          .map((outcome) => (outcome.action === 'accept' ? String(outcome.content['name']) : outcome.action))
          .join();
      },
      { task: 'allowed' },
    );

  it('asked in its first turn travel before there is a task (MRTR-23)', async () => {
    const fixture = taskCore([greeting]);
    const first = await modern(fixture, modernClient(), 'tools/call', { name: 'greeting' });
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { user_name: { method: 'elicitation/create' } },
    });
    expect(first.result).not.toHaveProperty('taskId');
    expect(fixture.store.size).toBe(0);
    const { requestState } = first.result ?? {};
    const again = { name: 'greeting', requestState, inputResponses: { user_name: accept('Alice') } };
    const second = await modern(fixture, modernClient(), 'tools/call', again);
    expect(second.result).toMatchObject({ resultType: 'task', status: 'working' });
    for (const member of ['requestState', 'inputRequests', 'result', 'task', 'ttl', 'pollInterval']) {
      expect(second.result).not.toHaveProperty(member);
    }
    const taskId = String(second.result?.['taskId']);
    const task = await reached(fixture, modernClient(), { taskId, status: 'completed' });
    expect(task).toMatchObject({ result: { content: [{ text: 'Hello Alice' }] } });
    expect(task).not.toHaveProperty('requestState');
    // The state is spent by the call that it completed.
    expect((await modern(fixture, modernClient(), 'tools/call', again)).error?.code).toBe(-32602);
  });

  it('asked in its first turn are refused when the client did not declare them', async () => {
    const fixture = taskCore([greeting]);
    const declared = { extensions: DECLARED.extensions };
    const answer = await send(fixture, modernClient(), 'tools/call', { name: 'greeting' }, declared);
    expect(answer).toMatchObject({ status: 400, error: { code: -32021 } });
    expect(fixture.store.size).toBe(0);
  });

  it('answered malformed in its first turn are refused, without a task (MRTR-15)', async () => {
    const fixture = taskCore([greeting]);
    const inputResponses = { user_name: { action: 'accept', content: {} } };
    const answer = await modern(fixture, modernClient(), 'tools/call', { name: 'greeting', inputResponses });
    expect(answer.error?.code).toBe(-32602);
    expect(fixture.store.size).toBe(0);
  });

  it('asked later are its input requests, and tasks/update answers them (XTASK-08, XTASK-14)', async () => {
    const fixture = taskCore([later([undefined])]);
    const taskId = await started(fixture, modernClient(), 'later');
    const task = await reached(fixture, modernClient(), { taskId, status: 'input_required' });
    expect(task['inputRequests']).toMatchObject({
      'elicit-1': { method: 'elicitation/create', params: { message: 'Who?' } },
    });
    const inputResponses = { 'elicit-1': accept('Ann') };
    const { result } = await modern(fixture, modernClient(), 'tasks/update', { taskId, inputResponses });
    expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'resultType']);
    expect(await reached(fixture, modernClient(), { taskId, status: 'completed' })).toMatchObject({
      result: { content: [{ text: 'Ann' }] },
    });
  });

  it('may be answered one by one; other keys are ignored (XTASK-15)', async () => {
    const fixture = taskCore([later(['a', 'b'])]);
    const taskId = await started(fixture, modernClient(), 'later');
    await reached(fixture, modernClient(), { taskId, status: 'input_required' });
    const update = (inputResponses: object): ReturnType<typeof modern> =>
      modern(fixture, modernClient(), 'tasks/update', { taskId, inputResponses });
    expect((await update({ a: accept('one'), nonsense: 5 })).error).toBeUndefined();
    const half = await reached(fixture, modernClient(), { taskId, status: 'input_required' });
    expect(Object.keys(half['inputRequests'] as object)).toEqual(['b']);
    // A second answer to the same key is late.
    expect((await update({ a: accept('other') })).result).toMatchObject({ resultType: 'complete' });
    await update({ b: accept('two') });
    expect(await reached(fixture, modernClient(), { taskId, status: 'completed' })).toMatchObject({
      result: { content: [{ text: 'one,two' }] },
    });
    expect((await update({ a: accept('late') })).result).toMatchObject({ resultType: 'complete' });
  });

  it('never use a key twice (XTASK-12)', async () => {
    const twice = tool(
      'twice',
      async (_args, context) => {
        await sleep(1);
        const first = await context.elicit({ ...ask, key: 'k' });
        const second = await context.elicit({ ...ask, key: 'k' });
        return first.action + second.action;
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([twice]);
    const taskId = await started(fixture, modernClient(), 'twice');
    const seen: string[] = [];
    for (const _turn of [1, 2]) {
      const task = await reached(fixture, modernClient(), { taskId, status: 'input_required' });
      const [key = ''] = Object.keys(task['inputRequests'] as object);
      seen.push(key);
      await modern(fixture, modernClient(), 'tasks/update', {
        taskId,
        inputResponses: { [key]: { action: 'decline' } },
      });
      await sleep(5);
    }
    expect(new Set(seen).size).toBe(2);
    expect(await reached(fixture, modernClient(), { taskId, status: 'completed' })).toMatchObject({
      result: { content: [{ text: 'declinedecline' }] },
    });
  });

  it('are not asked again when the answer came with the call', async () => {
    let turns = 0;
    const unsteady = tool(
      'unsteady',
      async (_args, context) => {
        turns += 1;
        if (turns > 1) await sleep(1);
        return (await context.elicit({ ...ask, key: 'k' })).action;
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([unsteady]);
    const first = await modern(fixture, modernClient(), 'tools/call', { name: 'unsteady' });
    const { result } = await modern(fixture, modernClient(), 'tools/call', {
      name: 'unsteady',
      requestState: first.result?.['requestState'],
      inputResponses: { k: { action: 'cancel' } },
    });
    const taskId = String(result?.['taskId']);
    expect(await reached(fixture, modernClient(), { taskId, status: 'completed' })).toMatchObject({
      result: { content: [{ text: 'cancel' }] },
    });
  });

  it('keep what earlier passes did: steps run once', async () => {
    let charges = 0;
    const paying = tool(
      'paying',
      async (_args, context) => {
        await context.step('charge', () => (charges += 1));
        await context.elicit(ask);
        await sleep(1);
        return context.step('charge', () => (charges += 1)).then(String);
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([paying]);
    const first = await modern(fixture, modernClient(), 'tools/call', { name: 'paying' });
    const { result } = await modern(fixture, modernClient(), 'tools/call', {
      name: 'paying',
      requestState: first.result?.['requestState'],
      inputResponses: { 'elicit-1': accept('x') },
    });
    await reached(fixture, modernClient(), { taskId: String(result?.['taskId']), status: 'completed' });
    expect(charges).toBe(1);
  });

  it.each([[undefined], ['x'], [[]]])('are not answered by inputResponses %j', async (inputResponses) => {
    const fixture = taskCore([later([undefined])]);
    const taskId = await started(fixture, modernClient(), 'later');
    await reached(fixture, modernClient(), { taskId, status: 'input_required' });
    const params = inputResponses === undefined ? { taskId } : { taskId, inputResponses };
    expect((await modern(fixture, modernClient(), 'tasks/update', params)).error?.code).toBe(-32602);
    await modern(fixture, modernClient(), 'tasks/cancel', { taskId });
  });

  it('refuse an answer of another kind and stay open (MRTR-15)', async () => {
    const mixed = tool(
      'mixed',
      async (_args, context) => {
        await sleep(1);
        await Promise.all([
          context.elicit({ ...ask, key: 'e' }),
          context.sample({ key: 's', messages: [], maxTokens: 1 }),
          context.roots({ key: 'r' }),
        ]);
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([mixed]);
    const declared = { ...DECLARED, roots: {} };
    const { result } = await send(fixture, modernClient(), 'tools/call', { name: 'mixed' }, declared);
    const taskId = String(result?.['taskId']);
    await reached(fixture, modernClient(), { taskId, status: 'input_required' });
    const answers = {
      e: accept('x'),
      s: { role: 'assistant', content: { type: 'text', text: '' }, model: 'm' },
      r: { roots: [] },
    };
    for (const key of ['e', 's', 'r']) {
      const inputResponses = { ...answers, [key]: 'nonsense' };
      expect((await modern(fixture, modernClient(), 'tasks/update', { taskId, inputResponses })).error?.code).toBe(
        -32602,
      );
    }
    // Nothing was taken. A poller is shown only what it declares itself (XTASK-13).
    const seenBy = async (capabilities: object): Promise<string[]> => {
      const answer = await send(
        fixture,
        modernClient(),
        'tasks/get',
        { taskId },
        { ...capabilities, extensions: DECLARED.extensions },
      );
      return Object.keys(answer.result?.['inputRequests'] as object);
    };
    expect(await seenBy(declared)).toEqual(['e', 's', 'r']);
    expect(await seenBy({ elicitation: { form: {} } })).toEqual(['e']);
    expect(await seenBy({ elicitation: { url: {} }, sampling: {} })).toEqual(['s']);
    await modern(fixture, modernClient(), 'tasks/update', { taskId, inputResponses: answers });
    await reached(fixture, modernClient(), { taskId, status: 'completed' });
  });

  it('asked while the task was being stored are held until it is there', async () => {
    const fixture = taskCore([later([undefined])]);
    const create = fixture.store.create.bind(fixture.store);
    const { opened, open } = gate();
    // A store elsewhere takes its time.
    Object.assign(fixture.store, {
      create: async (task: Parameters<typeof create>[0]) => (await opened, create(task)),
    });
    const waiting = started(fixture, modernClient(), 'later');
    await sleep(150);
    open();
    const taskId = await waiting;
    await reached(fixture, modernClient(), { taskId, status: 'input_required' });
    await modern(fixture, modernClient(), 'tasks/cancel', { taskId });
  });
});

describe('progress of a modern task', () => {
  it('is the status message, and no notification (PROG-09)', async () => {
    const { opened, open } = gate();
    const slow = tool(
      'slow',
      async (_args, context) => {
        await sleep(1);
        context.progress(1, 2, 'half way');
        context.log('error', 'careful');
        await opened;
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([slow]);
    const client = modernClient();
    const _meta = { progressToken: 'p', [META.logLevel]: 'debug' };
    const { result } = await modern(fixture, client, 'tools/call', { name: 'slow', _meta });
    const taskId = String(result?.['taskId']);
    await sleep(5);
    expect(await reached(fixture, client, { taskId, status: 'working' })).toMatchObject({ statusMessage: 'half way' });
    open();
    await reached(fixture, client, { taskId, status: 'completed' });
    expect(client.sent).toEqual([]);
  });
});

describe('a subscription to tasks', () => {
  const slow = (opened: Promise<void>) =>
    tool(
      'slow',
      async (_args, context) => {
        await opened;
        return (await context.elicit({ message: 'Who?', schema: {} })).action;
      },
      { task: 'allowed' },
    );

  it('hears of its own tasks, each time the whole task (SUB-18, XTASK-21)', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([slow(opened)]);
    const ann = { identityKey: 'ann' };
    const taskId = await started(fixture, modernClient(ann), 'slow');
    const other = await started(fixture, modernClient({ identityKey: 'bob' }), 'slow');
    const listener = modernClient(ann);
    const notifications = { taskIds: [taskId, other, 'nothing', taskId] };
    const listening = modern(fixture, listener, 'subscriptions/listen', { notifications });
    await sleep(2);
    open();
    await reached(fixture, modernClient(ann), { taskId, status: 'input_required' });
    const inputResponses = { 'elicit-1': { action: 'decline' } };
    await modern(fixture, modernClient(ann), 'tasks/update', { taskId, inputResponses });
    await reached(fixture, modernClient(ann), { taskId, status: 'completed' });
    await sleep(5);
    listener.abort.abort(new CallCancelled('left'));
    await listening;
    const _meta = { [META.subscriptionId]: 7 };
    const [acknowledged, ...heard] = listener.sent;
    expect(acknowledged?.params).toEqual({ notifications: { taskIds: [taskId] }, _meta });
    expect(heard.every(({ method, params }) => method === 'notifications/tasks' && params['taskId'] === taskId)).toBe(
      true,
    );
    expect(heard[0]).toMatchObject({ params: { status: 'input_required', inputRequests: { 'elicit-1': {} }, _meta } });
    expect(heard.at(-1)).toMatchObject({
      params: { status: 'completed', result: { content: [{ text: 'decline' }] }, _meta },
    });
  });

  it('needs the extension (SUB-17)', async () => {
    const notifications = { taskIds: ['x'] };
    expect(await send(taskCore([quick]), modernClient(), 'subscriptions/listen', { notifications })).toMatchObject({
      status: 400,
      error: { code: -32021, data: NEEDED },
    });
  });

  it.each([['x'], [[5]], [Array.from({ length: 1_001 }, () => 'x')]])('refuses the list %#', async (taskIds) => {
    const answer = await modern(taskCore([quick]), modernClient(), 'subscriptions/listen', {
      notifications: { taskIds },
    });
    expect(answer.error?.code).toBe(-32602);
  });
});
