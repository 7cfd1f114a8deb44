import { describe, expect, it } from 'vitest';
import { CallTimeout } from '../../src/protocol/limits.js';
import { TimeLimit } from '../../src/protocol/time-limit.js';

/** A clock that the test moves. */
function clock() {
  const timers = new Set<{ readonly ms: number; readonly run: () => void }>();
  return {
    after: (ms: number, run: () => void) => {
      const timer = { ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    get set() {
      return [...timers].map(({ ms }) => ms);
    },
    pass: () => {
      for (const timer of [...timers]) {
        timers.delete(timer);
        timer.run();
      }
    },
  };
}

function limitOf() {
  const time = clock();
  const parent = new AbortController();
  return { time, parent, limit: new TimeLimit(50, time.after, () => parent.signal) };
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('the time of a call', () => {
  it('ends with the work: no timer is left', async () => {
    const { time, limit } = limitOf();
    const running = limit.race(async () => 'done');
    expect(time.set).toEqual([50]);
    expect(await running).toBe('done');
    expect(time.set).toEqual([]);
  });

  it('ends with work that fails', async () => {
    const { time, limit } = limitOf();
    await expect(limit.race(() => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
    expect(time.set).toEqual([]);
  });

  it('when over rejects, and aborts the signal', async () => {
    const { time, limit } = limitOf();
    const { signal } = limit;
    const running = limit.race(never);
    time.pass();
    await expect(running).rejects.toThrow(CallTimeout);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBeInstanceOf(CallTimeout);
  });

  it('when over is known to whoever looks at the signal only then', async () => {
    const { time, limit } = limitOf();
    const running = limit.race(never);
    time.pass();
    await expect(running).rejects.toThrow(CallTimeout);
    expect(limit.signal.aborted).toBe(true);
  });

  it('hands on the abort of the call itself, until it is over', async () => {
    const { parent, limit } = limitOf();
    const reason = new Error('gone');
    const running = limit.race(
      () =>
        new Promise((_resolve, reject) => limit.signal.addEventListener('abort', () => reject(limit.signal.reason))),
    );
    parent.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(new TimeLimit(1, clock().after, () => parent.signal).signal.reason).toBe(reason);
  });

  it('stands still while the client is asked, and begins anew with the answer', async () => {
    const { time, limit } = limitOf();
    let finish = (_value: string): void => undefined;
    const running = limit.race(() => new Promise<string>((resolve) => (finish = resolve)));
    limit.hold();
    limit.hold();
    expect(time.set).toEqual([]);
    limit.release();
    expect(time.set).toEqual([]);
    limit.release();
    expect(time.set).toEqual([50]);
    finish('done');
    expect(await running).toBe('done');
    limit.hold();
    limit.release();
    expect(time.set).toEqual([]);
  });

  it('makes nothing of what the work does later', async () => {
    const { time, limit } = limitOf();
    let fail = (_error: Error): void => undefined;
    const running = limit.race(() => new Promise<never>((_resolve, reject) => (fail = reject)));
    time.pass();
    await expect(running).rejects.toThrow(CallTimeout);
    fail(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
