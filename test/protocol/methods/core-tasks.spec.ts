import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallCancelled, QuestionTimeout, ServerClosing } from '../../../src/protocol/call.js';
import { HandlerRefusal, McpError, McpToolError } from '../../../src/protocol/errors.js';
import { TASKS_EXTENSION } from '../../../src/protocol/tasks/task-access.js';
import type { Channel } from '../../../src/protocol/call.js';
import { callOf, conversationOf, coreOf, send, tool } from '../core-fixture.js';
import {
  coreClient,
  taskIdOf,
  gate,
  modernClient,
  reached,
  relatedTo,
  sleep,
  started,
  taskCore,
} from './task-fixture.js';

const quick = tool('quick', () => 'done', { task: 'allowed' });
const always = tool('always', () => 'done', { task: 'always' });
const never = tool('never', () => 'done');
const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  await sleep(5);
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

describe('what is declared of tasks in 2025-11-25', () => {
  it('names what works (LTASK-01)', async () => {
    const { result } = await send(taskCore([quick]), coreClient(), 'initialize', handshake);
    expect(result?.['capabilities']).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
    expect(result?.['capabilities']).not.toHaveProperty('extensions');
  });

  it('offers no list to anonymous callers without a conversation (LTASK-21)', async () => {
    const anonymous = callOf('2025-11-25');
    const { result } = await send(taskCore([quick]), anonymous, 'initialize', handshake);
    expect(result?.['capabilities']).toMatchObject({ tasks: { cancel: {} } });
    expect(result?.['capabilities']).not.toHaveProperty('tasks.list');
    expect((await send(taskCore([quick]), anonymous, 'tasks/list')).error?.code).toBe(-32601);
    const known = callOf('2025-11-25', { identityKey: 'ann' });
    expect((await send(taskCore([quick]), known, 'tasks/list')).result).toEqual({ tasks: [] });
  });

  it.each([
    ['no tool may become a task', taskCore([never])],
    ['no tasks are kept', coreOf([quick])],
  ])('is nothing, and nothing is served, when %s', async (_why, fixture) => {
    const { result } = await send(fixture, coreClient(), 'initialize', handshake);
    expect(result?.['capabilities']).not.toHaveProperty('tasks');
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']) {
      expect((await send(fixture, coreClient(), method, { taskId: 'x' })).error?.code).toBe(-32601);
    }
  });

  it('lists what each tool supports (LTASK-03)', async () => {
    const { result } = await send(taskCore([quick, always, never]), coreClient(), 'tools/list');
    expect(result?.['tools']).toMatchObject([
      { name: 'always', execution: { taskSupport: 'required' } },
      { name: 'never' },
      { name: 'quick', execution: { taskSupport: 'optional' } },
    ]);
    expect(result?.['tools']).not.toHaveProperty('1.execution');
  });

  it.each(['2025-03-26', '2025-06-18'] as const)(
    'is nothing in %s, where every tool runs synchronously',
    async (name) => {
      const client = callOf(name, { conversation: conversationOf() });
      const fixture = taskCore([always]);
      const { result } = await send(fixture, client, 'initialize', { ...handshake, protocolVersion: name });
      expect(result?.['capabilities']).not.toHaveProperty('tasks');
      expect((await send(fixture, client, 'tools/call', { name: 'always', task: {} })).result).toMatchObject({
        content: [{ type: 'text', text: 'done' }],
      });
      expect((await send(fixture, client, 'tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
    },
  );
});

describe('a call that asks for a task', () => {
  it('is answered at once with a nested task (LTASK-06 to LTASK-09)', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })]);
    const { result } = await send(fixture, coreClient(), 'tools/call', { name: 'slow', task: { ttl: 90_000 } });
    open();
    expect(Object.keys(result ?? {})).toEqual(['task']);
    expect(result?.['task']).toEqual({
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      ttl: 90_000,
      pollInterval: 2_000,
    });
  });

  it.each([
    [{}, 60_000],
    [{ ttl: null }, 60_000],
    [{ ttl: 10_000_000 }, 120_000],
    [{ ttl: 1_500.2 }, 1_501],
  ])('gives %j a ttl of %d', async (task, ttl) => {
    const { result } = await send(taskCore([quick]), coreClient(), 'tools/call', { name: 'quick', task });
    expect(result?.['task']).toMatchObject({ ttl });
  });

  it.each([[{ ttl: 0 }], [{ ttl: -1 }], [{ ttl: '5' }], ['yes'], [[]], [null]])('refuses %j', async (task) => {
    const { error } = await send(taskCore([quick]), coreClient(), 'tools/call', { name: 'quick', task });
    expect(error?.code).toBe(-32602);
  });

  it('is refused by a tool that never is one (LTASK-04)', async () => {
    const answer = await send(taskCore([quick, never]), coreClient(), 'tools/call', { name: 'never', task: {} });
    expect(answer).toMatchObject({ status: 200, error: { code: -32601 } });
  });

  it('is needed by a tool that always is one (LTASK-05)', async () => {
    const answer = await send(taskCore([always]), coreClient(), 'tools/call', { name: 'always' });
    expect(answer).toMatchObject({ status: 200, error: { code: -32601 } });
  });

  it('runs synchronously when it does not ask for a task', async () => {
    const { result } = await send(taskCore([quick]), coreClient(), 'tools/call', { name: 'quick' });
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
  });

  it('is an ordinary call where tasks are not declared (LTASK-02)', async () => {
    for (const each of [coreOf([always]), taskCore([never])]) {
      const name = each === undefined ? '' : (await send(each, coreClient(), 'tools/list')).result?.['tools'];
      const [{ name: toolName }] = name as [{ name: string }];
      const { result } = await send(each, coreClient(), 'tools/call', { name: toolName, task: {} });
      expect(result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    }
  });

  it('does not become one by declaring the extension (XTASK-24)', async () => {
    const conversation = conversationOf({ clientCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
    const { result } = await send(taskCore([quick]), coreClient({ conversation }), 'tools/call', { name: 'quick' });
    expect(result).toHaveProperty('content');
  });

  it('does not run when no more tasks may be kept (LTASK-22)', async () => {
    let runs = 0;
    const counted = tool('counted', () => void (runs += 1), { task: 'allowed' });
    const fixture = taskCore([counted], {}, { maxPerCaller: 1 });
    await started(fixture, coreClient(), 'counted');
    const { error } = await send(fixture, coreClient(), 'tools/call', { name: 'counted', task: {} });
    expect(error).toMatchObject({ code: -32603, message: 'Too many tasks: wait until some have expired' });
    expect(runs).toBe(1);
  });

  it('is opaquely refused when the store fails', async () => {
    const { store, ...rest } = taskCore([quick]);
    store.create = () => {
      throw new Error('secret');
    };
    const { error } = await send(rest, coreClient(), 'tools/call', { name: 'quick', task: {} });
    expect(error).toMatchObject({ code: -32603, message: 'Internal error' });
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(rest.logged.some(({ error: logged }) => logged instanceof Error && logged.message === 'secret')).toBe(true);
  });

  it('is challenged like any call when a guard refuses it at once, and its task failed', async () => {
    const guarded = tool(
      'guarded',
      () => {
        throw new HandlerRefusal('authorization', 401, 'no', 'Bearer realm="x"');
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([guarded]);
    const { outcome } = await send(fixture, coreClient(), 'tools/call', { name: 'guarded', task: {} });
    expect(outcome).toMatchObject({ status: 401, challenge: 'Bearer realm="x"' });
    const { result } = await send(fixture, coreClient(), 'tasks/list');
    expect(result?.['tasks']).toMatchObject([{ status: 'failed' }]);
  });
});

describe('tasks/get and tasks/result in 2025-11-25', () => {
  it('give the task at the top level, and the result of the call (LTASK-10 to LTASK-13)', async () => {
    const fixture = taskCore([quick]);
    const taskId = await started(fixture, coreClient(), 'quick');
    const task = await reached(fixture, coreClient(), { taskId, status: 'completed' });
    expect(Object.keys(task).sort()).toEqual(['createdAt', 'lastUpdatedAt', 'pollInterval', 'status', 'taskId', 'ttl']);
    const { result } = await send(fixture, coreClient(), 'tasks/result', { taskId });
    const plain = await send(fixture, coreClient(), 'tools/call', { name: 'quick' });
    expect(result).toEqual({ ...plain.result, _meta: relatedTo(taskId) });
  });

  it('keep the `_meta` of the tool beside the relation', async () => {
    const value = { content: [{ type: 'text', text: 'x' }], _meta: { 'example.com/a': 1, ...relatedTo('forged') } };
    const fixture = taskCore([tool('meta', () => value, { task: 'allowed' })]);
    const taskId = await started(fixture, coreClient(), 'meta');
    const { result } = await send(fixture, coreClient(), 'tasks/result', { taskId });
    expect(result?.['_meta']).toEqual({ 'example.com/a': 1, ...relatedTo(taskId) });
  });

  it('block until the task is over (LTASK-11)', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened.then(() => 'late'), { task: 'allowed' })]);
    const taskId = await started(fixture, coreClient(), 'slow');
    let answered = false;
    const waiting = send(fixture, coreClient(), 'tasks/result', { taskId }).finally(() => (answered = true));
    await sleep(10);
    expect(answered).toBe(false);
    open();
    expect((await waiting).result).toMatchObject({ content: [{ text: 'late' }] });
    expect(fixture.bus.size).toBe(0);
  });

  it('see the end of a task of which the bus did not tell', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })], { pollIntervalMs: 5 });
    const taskId = await started(fixture, coreClient(), 'slow');
    const waiting = send(fixture, coreClient(), 'tasks/result', { taskId });
    await sleep(2);
    fixture.store.update(taskId, 'session:session-1', { kind: 'complete', result: '{"content":[]}', isError: false });
    expect((await waiting).result).toEqual({ content: [] });
    open();
  });

  it('stop waiting when that request is cancelled; the task goes on', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })]);
    const taskId = await started(fixture, coreClient(), 'slow');
    const waiter = coreClient();
    const waiting = send(fixture, waiter, 'tasks/result', { taskId });
    await sleep(2);
    waiter.abort.abort(new CallCancelled('enough'));
    expect((await waiting).outcome).toEqual({ status: 200, body: '', silent: true });
    open();
    await reached(fixture, coreClient(), { taskId, status: 'completed' });
    expect(fixture.bus.size).toBe(0);
  });

  it('say that the server ends while they wait', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })]);
    const taskId = await started(fixture, coreClient(), 'slow');
    const waiter = coreClient();
    const waiting = send(fixture, waiter, 'tasks/result', { taskId });
    await sleep(2);
    waiter.abort.abort(new ServerClosing('over'));
    expect((await waiting).error).toEqual({ code: -32603, message: 'The server is shutting down' });
    open();
  });

  it.each([
    ['a tool error', new McpToolError('no paper'), 'The tool reported an error'],
    ['a fault', new Error('secret'), 'The tool reported an error'],
    ['a JSON-RPC error', new McpError(-32050 + 100, 'broken', { part: 1 }), 'broken'],
  ])('call a task that ended in %s failed (LTASK-18)', async (_what, thrown, statusMessage) => {
    const failing = tool(
      'failing',
      async () => {
        await sleep();
        throw thrown;
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([failing]);
    const taskId = await started(fixture, coreClient(), 'failing');
    expect(await reached(fixture, coreClient(), { taskId, status: 'failed' })).toMatchObject({ statusMessage });
    const answer = await send(fixture, coreClient(), 'tasks/result', { taskId });
    const plain = await send(fixture, coreClient(), 'tools/call', { name: 'failing' });
    if (plain.error === undefined) {
      expect(answer.result).toMatchObject({ isError: true, _meta: relatedTo(taskId) });
      expect(JSON.stringify(answer.result)).not.toContain('secret');
    } else expect(answer.error).toEqual(plain.error);
  });

  it('report arguments that are refused as a task as well', async () => {
    const picky = tool('picky', () => 'x', {
      task: 'always',
      input: {
        wire: { type: 'object' },
        parse: () => ({ ok: false, violations: [{ path: 'a', rule: 'is required' }] }),
      },
    });
    const fixture = taskCore([picky]);
    const taskId = await started(fixture, coreClient(), 'picky');
    await reached(fixture, coreClient(), { taskId, status: 'failed' });
    const { result } = await send(fixture, coreClient(), 'tasks/result', { taskId });
    expect(result).toMatchObject({ isError: true, content: [{ text: 'picky: invalid arguments: a is required' }] });
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
    '%s refuses an id it does not know (LTASK-17)',
    async (method) => {
      const fixture = taskCore([quick], {}, {});
      expect((await send(fixture, coreClient(), method, { taskId: 'nothing' })).error).toEqual({
        code: -32602,
        message: 'Unknown task',
      });
      expect((await send(fixture, coreClient(), method)).error?.code).toBe(-32602);
    },
  );

  it('do not know a task after its ttl, and its handler is stopped (LTASK-09)', async () => {
    let reason: unknown;
    const slow = tool(
      'slow',
      (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve('too late');
          });
        }),
      { task: 'allowed' },
    );
    const fixture = taskCore([slow]);
    const taskId = taskIdOf(await send(fixture, coreClient(), 'tools/call', { name: 'slow', task: { ttl: 20 } }));
    const waiting = send(fixture, coreClient(), 'tasks/result', { taskId });
    await sleep(40);
    expect((await send(fixture, coreClient(), 'tasks/get', { taskId })).error?.code).toBe(-32602);
    expect((await waiting).error?.code).toBe(-32602);
    expect(reason).toBeInstanceOf(CallCancelled);
  });
});

describe('tasks/cancel in 2025-11-25', () => {
  it('answers with the cancelled task, which stays cancelled, and aborts the handler (LTASK-16)', async () => {
    const { opened, open } = gate();
    let signal: AbortSignal | undefined;
    const slow = tool(
      'slow',
      async (_args, context) => {
        signal = context.signal;
        await opened;
        return 'finished';
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([slow]);
    const taskId = await started(fixture, coreClient(), 'slow');
    const { result } = await send(fixture, coreClient(), 'tasks/cancel', { taskId });
    expect(result).toMatchObject({ taskId, status: 'cancelled' });
    expect(result).not.toHaveProperty('_meta');
    await expect.poll(() => signal?.aborted).toBe(true);
    open();
    await sleep(5);
    await reached(fixture, coreClient(), { taskId, status: 'cancelled' });
    expect((await send(fixture, coreClient(), 'tasks/result', { taskId })).error?.code).toBe(-32602);
  });

  it('refuses what is over (LTASK-16)', async () => {
    const fixture = taskCore([quick]);
    const taskId = await started(fixture, coreClient(), 'quick');
    await reached(fixture, coreClient(), { taskId, status: 'completed' });
    expect((await send(fixture, coreClient(), 'tasks/cancel', { taskId })).error?.code).toBe(-32602);
  });

  it('alone cancels: neither the end nor the cancellation of the creating request does (CANC-09)', async () => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })]);
    const creator = coreClient();
    const taskId = await started(fixture, creator, 'slow');
    creator.abort.abort(new CallCancelled('gone'));
    await sleep(5);
    open();
    await reached(fixture, coreClient(), { taskId, status: 'completed' });
  });
});

describe('tasks/list', () => {
  it('pages through the tasks of the caller (LTASK-15)', async () => {
    const fixture = taskCore([quick]);
    const ids: string[] = [];
    for (let count = 0; count < 53; count += 1) ids.push(await started(fixture, coreClient(), 'quick'));
    const first = await send(fixture, coreClient(), 'tasks/list');
    const cursor = first.result?.['nextCursor'];
    expect(cursor).toBeTypeOf('string');
    const second = await send(fixture, coreClient(), 'tasks/list', { cursor });
    expect(second.result).not.toHaveProperty('nextCursor');
    const listed = [first, second].flatMap(({ result }) => result?.['tasks'] as { taskId: string }[]);
    expect(listed.map(({ taskId }) => taskId)).toEqual(ids);
    expect(JSON.stringify(listed)).not.toContain('related-task');
  });

  it.each(['', 'garbage', 5])('refuses the cursor %j', async (cursor) => {
    expect((await send(taskCore([quick]), coreClient(), 'tasks/list', { cursor })).error?.code).toBe(-32602);
  });
});

describe('whose tasks they are', () => {
  it.each([
    ['another identity', { identityKey: 'ann' }, { identityKey: 'bob' }],
    ['an anonymous caller', { identityKey: 'ann' }, {}],
    ['another anonymous session', {}, { conversation: conversationOf({ id: 'session-2' }) }],
  ])('are unknown to %s (LTASK-20)', async (_who, owner, other) => {
    const { opened, open } = gate();
    const fixture = taskCore([tool('slow', () => opened, { task: 'allowed' })]);
    const taskId = await started(fixture, coreClient(owner), 'slow');
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect((await send(fixture, coreClient(other), method, { taskId })).error?.message).toBe('Unknown task');
    }
    expect((await send(fixture, coreClient(other), 'tasks/list')).result).toEqual({ tasks: [] });
    expect((await send(fixture, coreClient(owner), 'tasks/list')).result?.['tasks']).toHaveLength(1);
    open();
  });

  it('works for anonymous callers without a session, by the id alone (LTASK-21)', async () => {
    const fixture = taskCore([quick]);
    const taskId = await started(fixture, callOf('2025-11-25'), 'quick');
    await reached(fixture, callOf('2025-11-25'), { taskId, status: 'completed' });
  });

  it('lets a modern client of the same caller read and cancel it, as its own wire says (XTASK-26, XTASK-27)', async () => {
    const ann = { identityKey: 'ann' };
    const failing = tool(
      'failing',
      () => {
        throw new McpToolError('no paper');
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([failing]);
    const taskId = await started(fixture, coreClient(ann), 'failing');
    const task = await reached(fixture, modernClient(ann), { taskId, status: 'completed' });
    expect(task).toMatchObject({ ttlMs: 60_000, result: { isError: true } });
    expect(JSON.stringify(task)).not.toContain('related-task');
    const other = await started(fixture, modernClient(ann), 'failing');
    await reached(fixture, coreClient(ann), { taskId: other, status: 'failed' });
    const { result } = await send(fixture, coreClient(ann), 'tasks/result', { taskId: other });
    expect(result).toMatchObject({ isError: true, _meta: relatedTo(other) });
    expect(result).not.toHaveProperty('resultType');
  });
});

describe('questions of a 2025-11-25 task', () => {
  const asking = tool(
    'asking',
    async (_args, context) => {
      const outcome = await context.elicit({ message: 'Who?', schema: {} });
      return outcome.action === 'accept' ? `Hello ${String(outcome.content['name'])}` : outcome.action;
    },
    { task: 'allowed' },
  );
  const answering = (answer: () => Promise<unknown>, asked: unknown[] = []): Channel['ask'] => {
    return (method, params) => {
      asked.push({ method, params });
      return answer();
    };
  };
  const accept = async (): Promise<unknown> => ({ action: 'accept', content: { name: 'Ann' } });

  it('wait as input_required until a tasks/result call can carry them, tagged (LTASK-12, LTASK-14)', async () => {
    const fixture = taskCore([asking]);
    const taskId = await started(fixture, coreClient(), 'asking');
    const task = await reached(fixture, coreClient(), { taskId, status: 'input_required' });
    expect(task).not.toHaveProperty('inputRequests');
    const asked: unknown[] = [];
    const waiter = coreClient({ ask: answering(accept, asked) });
    const { result } = await send(fixture, waiter, 'tasks/result', { taskId });
    expect(result).toMatchObject({ content: [{ text: 'Hello Ann' }] });
    expect(asked).toEqual([
      {
        method: 'elicitation/create',
        params: expect.objectContaining({ message: 'Who?', _meta: relatedTo(taskId) }) as object,
      },
    ]);
  });

  it('move the task back to working once answered', async () => {
    const { opened, open } = gate();
    const two = tool('two', async (_args, c) => (await c.elicit({ message: 'Who?', schema: {} }), await opened, 'ok'), {
      task: 'allowed',
    });
    const fixture = taskCore([two]);
    const taskId = await started(fixture, coreClient(), 'two');
    await reached(fixture, coreClient(), { taskId, status: 'input_required' });
    const waiting = send(fixture, coreClient({ ask: answering(accept) }), 'tasks/result', { taskId });
    await reached(fixture, coreClient(), { taskId, status: 'working' });
    open();
    expect((await waiting).result).toMatchObject({ content: [{ text: 'ok' }] });
  });

  it('started together are asked together', async () => {
    const both = tool(
      'both',
      async (_args, context) => {
        const answers = await Promise.all([1, 2].map(() => context.elicit({ message: 'Who?', schema: {} })));
        return answers.map(({ action }) => action).join();
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([both]);
    const taskId = await started(fixture, coreClient(), 'both');
    const asked: unknown[] = [];
    const waiter = coreClient({ ask: answering(accept, asked) });
    expect((await send(fixture, waiter, 'tasks/result', { taskId })).result).toMatchObject({
      content: [{ text: 'accept,accept' }],
    });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['a decline', async () => ({ action: 'decline' }), { content: [{ text: 'decline' }] }],
    ['no answer in time', () => Promise.reject(new QuestionTimeout('late')), { content: [{ text: 'timeout' }] }],
  ])('may end in %s', async (_what, answer, expected) => {
    const fixture = taskCore([asking]);
    const taskId = await started(fixture, coreClient(), 'asking');
    const waiter = coreClient({ ask: answering(answer) });
    expect((await send(fixture, waiter, 'tasks/result', { taskId })).result).toMatchObject(expected);
  });

  it('may end in an error of the client, which the handler gets', async () => {
    const fixture = taskCore([asking]);
    const taskId = await started(fixture, coreClient(), 'asking');
    const waiter = coreClient({ ask: answering(() => Promise.reject(new McpError(-1, 'user away', { a: 1 }))) });
    const { error } = await send(fixture, waiter, 'tasks/result', { taskId });
    expect(error).toEqual({ code: -1, message: 'user away', data: { a: 1 } });
  });

  it('are asked again by the next call when the one that asked ended without an answer', async () => {
    const fixture = taskCore([asking]);
    const taskId = await started(fixture, coreClient(), 'asking');
    let refuse: (error: Error) => void = () => undefined;
    const gone = coreClient({ ask: () => new Promise((_resolve, reject) => (refuse = reject)) });
    const first = send(fixture, gone, 'tasks/result', { taskId });
    await reached(fixture, coreClient(), { taskId, status: 'input_required' });
    await sleep(2);
    gone.abort.abort(new CallCancelled('left'));
    refuse(new CallCancelled('left'));
    await first;
    await reached(fixture, coreClient(), { taskId, status: 'input_required' });
    const { result } = await send(fixture, coreClient({ ask: answering(accept) }), 'tasks/result', { taskId });
    expect(result).toMatchObject({ content: [{ text: 'Hello Ann' }] });
  });

  it('are refused when the client did not declare them', async () => {
    const client = coreClient({ conversation: conversationOf() });
    const fixture = taskCore([asking]);
    const taskId = await started(fixture, client, 'asking');
    expect(await reached(fixture, client, { taskId, status: 'failed' })).toMatchObject({
      statusMessage: expect.stringContaining('elicitation') as string,
    });
  });

  it('end with the task when it is cancelled', async () => {
    let thrown: unknown;
    const careful = tool(
      'careful',
      async (_args, context) => {
        await context.elicit({ message: 'Who?', schema: {} }).catch((error: unknown) => (thrown = error));
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([careful]);
    const taskId = await started(fixture, coreClient(), 'careful');
    await reached(fixture, coreClient(), { taskId, status: 'input_required' });
    await send(fixture, coreClient(), 'tasks/cancel', { taskId });
    await expect.poll(() => thrown).toBeInstanceOf(CallCancelled);
  });

  it('that nobody awaits harm nobody when the task ends', async () => {
    const careless = tool(
      'careless',
      async (_args, context) => {
        void context.elicit({ message: 'Who?', schema: {} });
        await new Promise(() => undefined);
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([careless]);
    const taskId = await started(fixture, coreClient(), 'careless');
    await reached(fixture, coreClient(), { taskId, status: 'input_required' });
    await send(fixture, coreClient(), 'tasks/cancel', { taskId });
    await sleep(5);
    expect(unhandled).toEqual([]);
  });
});

describe('progress of a 2025-11-25 task', () => {
  it('travels, tagged, with a pending tasks/result; its words are the status message (PROG-08, LTASK-12)', async () => {
    const { opened, open } = gate();
    const { opened: ending, open: end } = gate();
    const slow = tool(
      'slow',
      async (_args, context) => {
        await opened;
        context.progress(1, 2, 'half way');
        context.log('warning', 'careful');
        await ending;
        context.progress(2, 2);
        return 'ok';
      },
      { task: 'allowed' },
    );
    const fixture = taskCore([slow]);
    const creator = coreClient();
    const created = await send(fixture, creator, 'tools/call', {
      name: 'slow',
      task: {},
      _meta: { progressToken: 'p' },
    });
    const taskId = taskIdOf(created);
    const waiter = coreClient();
    const waiting = send(fixture, waiter, 'tasks/result', { taskId });
    await sleep(2);
    open();
    await sleep(2);
    expect(await reached(fixture, coreClient(), { taskId, status: 'working' })).toMatchObject({
      statusMessage: 'half way',
    });
    end();
    await waiting;
    expect(creator.sent).toEqual([]);
    expect(waiter.sent).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, _meta: relatedTo(taskId) } },
      { method: 'notifications/message', params: { data: 'careful', _meta: relatedTo(taskId) } },
      { method: 'notifications/progress', params: { progress: 2, _meta: relatedTo(taskId) } },
    ]);
  });
});

describe('the end of the server', () => {
  it('stops running tasks and stores them as failed', async () => {
    let reason: unknown;
    const slow = tool(
      'slow',
      (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve('after all');
          });
        }),
      { task: 'allowed' },
    );
    const fixture = taskCore([slow]);
    const taskId = await started(fixture, coreClient(), 'slow');
    const waiting = send(fixture, coreClient(), 'tasks/result', { taskId });
    await sleep(2);
    await fixture.core.close();
    expect(reason).toBeInstanceOf(ServerClosing);
    const error = { code: -32603, message: 'The server is shutting down' };
    expect((await waiting).error).toEqual(error);
    expect(await reached(fixture, coreClient(), { taskId, status: 'failed' })).toMatchObject({
      statusMessage: error.message,
    });
    expect((await send(fixture, coreClient(), 'tools/call', { name: 'slow', task: {} })).error).toEqual(error);
    expect(fixture.bus.size).toBe(0);
  });
});
