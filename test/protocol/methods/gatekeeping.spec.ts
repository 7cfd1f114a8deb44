import { describe, expect, it } from 'vitest';
import { QuestionTimeout } from '../../../src/protocol/call.js';
import { allow, confirm, deny, type Gate } from '../../../src/protocol/gate.js';
import { callOf, conversationOf, coreOf, send, tool } from '../core-fixture.js';

function gated(gate: Gate, more: { readonly own?: Gate } = {}) {
  let runs = 0;
  const fixture = coreOf(
    [tool('wipe', () => `run ${++runs}`, { ...(more.own === undefined ? {} : { gate: more.own }) })],
    { gate },
  );
  const call = (
    params: Record<string, unknown> = {},
    capabilities: object = { elicitation: {} },
    identityKey?: string,
  ) =>
    send(
      fixture,
      callOf('2026-07-28', identityKey === undefined ? {} : { identityKey }),
      'tools/call',
      { name: 'wipe', ...params },
      capabilities,
    );
  return { ...fixture, call, runs: () => runs };
}

describe('a gate', () => {
  it('lets a call run, or denies it with words for the model', async () => {
    const open = gated(() => allow);
    expect((await open.call()).result).toMatchObject({ content: [{ text: 'run 1' }] });
    const closed = gated(() => deny('not on Sundays'));
    expect((await closed.call()).result).toMatchObject({ isError: true, content: [{ text: 'not on Sundays' }] });
    expect(closed.runs()).toBe(0);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('SECRET');
      },
    ],
    ['rejects', () => Promise.reject(new Error('SECRET'))],
    ['answers something else', () => true as never],
    ['answers nothing', () => undefined as never],
  ] as const)('that %s denies, opaquely, and is logged', async (_what, gate) => {
    const fixture = gated(gate);
    const answer = await fixture.call();
    expect(answer.result).toMatchObject({ isError: true });
    expect(answer.outcome.body).not.toContain('SECRET');
    expect(fixture.logged).toHaveLength(1);
    expect(fixture.runs()).toBe(0);
  });

  it('of the tool is asked after the server’s, and the strictest decision stands', async () => {
    expect((await gated(() => allow, { own: () => deny('own') }).call()).result).toMatchObject({
      content: [{ text: 'own' }],
    });
    expect((await gated(() => deny('server'), { own: () => allow }).call()).result).toMatchObject({
      content: [{ text: 'server' }],
    });
    expect((await gated(() => confirm('sure?'), { own: () => deny('own') }).call()).result).toMatchObject({
      content: [{ text: 'own' }],
    });
    expect((await gated(() => confirm('sure?'), { own: () => allow }).call()).result).toMatchObject({
      resultType: 'input_required',
    });
  });

  it('sees the tool and the arguments', async () => {
    const seen: unknown[] = [];
    const fixture = gated((context, wanted, args) => {
      seen.push(context.method, wanted.name, args);
      return allow;
    });
    await fixture.call({ arguments: { table: 't' } });
    expect(seen).toEqual(['tools/call', 'wipe', { table: 't' }]);
  });
});

describe('confirmation in 2026-07-28', () => {
  const sure = { inputResponses: { confirm: { action: 'accept' } } };

  it('is asked for, and given once', async () => {
    const fixture = gated(() => confirm('Drop it?'));
    const first = await fixture.call();
    expect(first.result).toMatchObject({
      inputRequests: { confirm: { method: 'elicitation/create', params: { mode: 'form', message: 'Drop it?' } } },
    });
    const { requestState } = first.result as { requestState: string };
    expect((await fixture.call({ ...sure, requestState })).result).toMatchObject({ content: [{ text: 'run 1' }] });
    expect((await fixture.call({ ...sure, requestState })).error?.code).toBe(-32602);
    expect(fixture.runs()).toBe(1);
  });

  it('does not count without the state that says it was asked for', async () => {
    const fixture = gated(() => confirm('Drop it?'));
    expect((await fixture.call(sure)).result).toMatchObject({ resultType: 'input_required' });
    expect(fixture.runs()).toBe(0);
  });

  it('of one caller or for other arguments does not count for another', async () => {
    const fixture = gated(() => confirm('Drop it?'));
    const { requestState } = (await fixture.call({ arguments: { table: 'a' } }, { elicitation: {} }, 'alice'))
      .result as { requestState: string };
    expect(
      (await fixture.call({ ...sure, requestState, arguments: { table: 'a' } }, { elicitation: {} }, 'bob')).error
        ?.code,
    ).toBe(-32602);
    expect(
      (await fixture.call({ ...sure, requestState, arguments: { table: 'b' } }, { elicitation: {} }, 'alice')).error
        ?.code,
    ).toBe(-32602);
    expect(fixture.runs()).toBe(0);
  });

  it('survives questions of the tool itself, and is not asked for twice', async () => {
    let runs = 0;
    const fixture = coreOf(
      [
        tool('wipe', async (_args, context) => {
          const { length } = await context.roots({ key: 'roots' });
          runs += 1;
          return `${length} roots`;
        }),
      ],
      { gate: () => confirm('Sure?') },
    );
    const call = (params: object) =>
      send(fixture, callOf('2026-07-28'), 'tools/call', { name: 'wipe', ...params }, { elicitation: {}, roots: {} });
    const first = (await call({})).result as { requestState: string };
    const second = (await call({ ...sure, requestState: first.requestState })).result as {
      requestState: string;
      inputRequests: object;
    };
    expect(Object.keys(second.inputRequests)).toEqual(['roots']);
    const third = await call({ inputResponses: { roots: { roots: [] } }, requestState: second.requestState });
    expect(third.result).toMatchObject({ content: [{ text: '0 roots' }] });
    expect(runs).toBe(1);
  });

  it.each(['decline', 'cancel'])('refused by %s does not run the tool', async (action) => {
    const fixture = gated(() => confirm('Drop it?'));
    const { requestState } = (await fixture.call()).result as { requestState: string };
    const answer = await fixture.call({ inputResponses: { confirm: { action } }, requestState });
    expect(answer.result).toMatchObject({ isError: true });
    expect(fixture.runs()).toBe(0);
  });

  it('falls back where the client cannot be asked', async () => {
    const fixture = gated(() => confirm('Drop it?', 're-call with nonce ok'));
    expect((await fixture.call({}, {})).result).toMatchObject({
      content: [{ text: 're-call with nonce ok' }],
      isError: false,
    });
    const bare = gated(() => confirm('Drop it?'));
    expect((await bare.call({}, { elicitation: { url: {} } })).result).toMatchObject({ isError: true });
    expect(fixture.runs() + bare.runs()).toBe(0);
  });
});

describe('confirmation in handshake revisions', () => {
  const able = conversationOf({ clientCapabilities: { elicitation: {} } });
  const call = async (answer: () => Promise<unknown>, revision: '2025-06-18' | '2025-03-26' = '2025-06-18') => {
    const fixture = gated(() => confirm('Drop it?', 'fallback'));
    const made = await send(fixture, callOf(revision, { conversation: able, ask: answer }), 'tools/call', {
      name: 'wipe',
    });
    return { made, runs: fixture.runs() };
  };

  it('is a question on the stream of the call', async () => {
    expect(await call(() => Promise.resolve({ action: 'accept' }))).toMatchObject({ runs: 1 });
  });

  it.each([
    ['declined', () => Promise.resolve({ action: 'decline' })],
    ['cancelled', () => Promise.resolve({ action: 'cancel' })],
    ['answered with nonsense', () => Promise.resolve('yes')],
    ['not answered in time', () => Promise.reject(new QuestionTimeout())],
  ])('%s does not run the tool', async (_what, answer) => {
    const { made, runs } = await call(answer);
    expect(runs).toBe(0);
    expect(made.result).toMatchObject({ content: [{ text: 'fallback' }] });
  });

  it('falls back without forms', async () => {
    expect(await call(() => expect.unreachable(), '2025-03-26')).toMatchObject({ runs: 0 });
  });
});
