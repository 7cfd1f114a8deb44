import { describe, expect, it } from 'vitest';
import { CallCancelled, QuestionTimeout } from '../../src/protocol/call.js';
import { McpError } from '../../src/protocol/errors.js';
import { Flight } from '../../src/session/in-flight.js';
import { PendingQuestions } from '../../src/session/pending-questions.js';

interface Sent {
  readonly id?: string;
  readonly method: string;
  readonly params?: { readonly requestId?: string };
}

function setUp(max?: number) {
  const questions = new PendingQuestions(max);
  const sent: Sent[] = [];
  const aborts = new AbortController();
  const ask = (timeoutMs = 1_000): Promise<unknown> =>
    questions.ask({ method: 'roots/list', params: undefined, timeoutMs, signal: aborts.signal }, (text) =>
      sent.push(JSON.parse(text) as Sent),
    );
  return { questions, sent, aborts, ask };
}

describe('PendingQuestions', () => {
  it('settles with the result of the answer that has its id', async () => {
    const { questions, sent, ask } = setUp();
    const first = ask();
    const second = ask();
    const [one, two] = sent;
    expect(one?.id).not.toBe(two?.id);
    questions.settle({ kind: 'response', id: two?.id ?? '', result: { roots: ['second'] } });
    questions.settle({ kind: 'response', id: one?.id ?? '', result: { roots: ['first'] } });
    expect(await first).toEqual({ roots: ['first'] });
    expect(await second).toEqual({ roots: ['second'] });
    expect(questions.size).toBe(0);
  });

  it('leaves params out when there are none', () => {
    const { sent, ask } = setUp();
    ask().catch(() => undefined);
    expect(sent[0]).not.toHaveProperty('params');
    expect(sent[0]).toMatchObject({ jsonrpc: '2.0', method: 'roots/list' });
  });

  it.each([-32_099, -32_042, -32_021, -32_002, 1e300])('gives an error with the code %d another one', async (code) => {
    const { questions, sent, ask } = setUp();
    const answer = ask();
    questions.settle({ kind: 'response', id: sent[0]?.id ?? '', error: { code, message: 'No', data: 1 } });
    await expect(answer).rejects.toMatchObject({ code: -32_603, message: 'No', data: 1 });
  });

  it('warns of no leak when one call asks a lot at once', async () => {
    const warned: Error[] = [];
    const warn = (warning: Error): void => void warned.push(warning);
    process.on('warning', warn);
    const questions = new PendingQuestions();
    const flight = new Flight(1);
    const asked = Array.from({ length: 50 }, () =>
      questions.ask(
        { method: 'roots/list', params: undefined, timeoutMs: 1_000, signal: flight.signal },
        () => undefined,
      ),
    );
    await new Promise((resolve) => setImmediate(resolve));
    questions.close(new Error('over'));
    expect((await Promise.allSettled(asked)).every(({ status }) => status === 'rejected')).toBe(true);
    process.off('warning', warn);
    expect(warned).toEqual([]);
  });

  it('rejects with the error of the client', async () => {
    const { questions, sent, ask } = setUp();
    const answer = ask();
    const error = { code: -1, message: 'User rejected', data: { why: 'x' } };
    questions.settle({ kind: 'response', id: sent[0]?.id ?? '', error });
    await expect(answer).rejects.toBeInstanceOf(McpError);
    await expect(answer).rejects.toMatchObject(error);
  });

  it('gives up after its time, tells the client, and ignores the late answer', async () => {
    const { questions, sent, ask } = setUp();
    await expect(ask(10)).rejects.toBeInstanceOf(QuestionTimeout);
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: sent[0]?.id } });
    expect(questions.settle({ kind: 'response', id: sent[0]?.id ?? '', result: {} })).toBe(false);
  });

  it('withdraws the question when its call is cancelled', async () => {
    const { questions, sent, aborts, ask } = setUp();
    const answer = ask();
    aborts.abort(new CallCancelled('gone'));
    await expect(answer).rejects.toBeInstanceOf(CallCancelled);
    expect(sent[1]?.params?.requestId).toBe(sent[0]?.id);
    expect(questions.size).toBe(0);
    await expect(ask()).rejects.toBeInstanceOf(CallCancelled);
    expect(sent).toHaveLength(2);
  });

  it('ignores answers to what was never asked', () => {
    const { questions } = setUp();
    expect(questions.settle({ kind: 'response', id: 'made-up', result: {} })).toBe(false);
  });

  it('fails what waits, and what is asked later, when the client is gone', async () => {
    const { questions, ask } = setUp();
    const waiting = ask();
    const gone = new Error('gone');
    questions.close(gone);
    await expect(waiting).rejects.toBe(gone);
    await expect(ask()).rejects.toBe(gone);
  });

  it('refuses one question more than it may hold', async () => {
    const { ask } = setUp(1);
    ask().catch(() => undefined);
    await expect(ask()).rejects.toBeInstanceOf(McpError);
  });

  it('rejects when the question cannot be sent', async () => {
    const questions = new PendingQuestions();
    const { signal } = new AbortController();
    const failure = new Error('not open');
    const answer = questions.ask({ method: 'ping', params: {}, timeoutMs: 1_000, signal }, () => {
      throw failure;
    });
    await expect(answer).rejects.toBe(failure);
    expect(questions.size).toBe(0);
  });

  it('waits as long as the longest timer when asked for longer', async () => {
    const { questions, sent, ask } = setUp();
    const answer = ask(Number.MAX_SAFE_INTEGER);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(questions.settle({ kind: 'response', id: sent[0]?.id ?? '', result: 1 })).toBe(true);
    expect(await answer).toBe(1);
  });
});
