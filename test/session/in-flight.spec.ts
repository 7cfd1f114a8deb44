import { describe, expect, it } from 'vitest';
import { CallCancelled, ServerClosing } from '../../src/protocol/call.js';
import { InFlight } from '../../src/session/in-flight.js';

describe('InFlight', () => {
  it('aborts the signal of a cancelled request with CallCancelled, id 0 included', () => {
    const inFlight = new InFlight();
    const flight = inFlight.begin(0);
    const signal = flight?.signal;
    expect(inFlight.cancel({ requestId: 0 })).toBe(true);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toBeInstanceOf(CallCancelled);
    expect(flight?.open).toBe(false);
  });

  it('gives an aborted signal to whoever looks after the cancellation', () => {
    const inFlight = new InFlight();
    const flight = inFlight.begin('a');
    inFlight.cancel({ requestId: 'a' });
    expect(flight?.signal.aborted).toBe(true);
  });

  it('tells a number from the same digits in a string', () => {
    const inFlight = new InFlight();
    const number = inFlight.begin(1);
    const text = inFlight.begin('1');
    inFlight.cancel({ requestId: '1' });
    expect(number?.cancelled).toBe(false);
    expect(text?.cancelled).toBe(true);
  });

  it('keeps the first of two requests with one id', () => {
    const inFlight = new InFlight();
    const first = inFlight.begin(7);
    expect(inFlight.begin(7)).toBeUndefined();
    expect(first?.open).toBe(true);
  });

  it('frees an id when its request is answered, and when it is cancelled', () => {
    const inFlight = new InFlight();
    const answered = inFlight.begin(1);
    if (answered !== undefined) inFlight.end(answered);
    const cancelled = inFlight.begin(1);
    inFlight.cancel({ requestId: 1 });
    const third = inFlight.begin(1);
    expect(third).toBeDefined();
    // The handler of the cancelled one ends late; the id is not its own any more.
    if (cancelled !== undefined) inFlight.end(cancelled);
    expect(inFlight.begin(1)).toBeUndefined();
  });

  it.each([[{}], [{ requestId: null }], [{ requestId: {} }], [{ requestId: 'unknown' }]])(
    'ignores a cancellation with params %j',
    (params) => {
      const inFlight = new InFlight();
      inFlight.begin(1);
      expect(inFlight.cancel(params)).toBe(false);
      expect(inFlight.size).toBe(1);
    },
  );

  it('does not cancel what cannot be cancelled', () => {
    const inFlight = new InFlight();
    const flight = inFlight.begin(1, false);
    expect(inFlight.cancel({ requestId: 1 })).toBe(false);
    expect(flight?.open).toBe(true);
  });

  it('ignores a cancellation of an answered request', () => {
    const inFlight = new InFlight();
    const flight = inFlight.begin(1);
    const signal = flight?.signal;
    if (flight !== undefined) inFlight.end(flight);
    expect(inFlight.cancel({ requestId: 1 })).toBe(false);
    expect(signal?.aborted).toBe(false);
  });

  it('calls onCancel for a cancellation and not for a shutdown', () => {
    const inFlight = new InFlight();
    const heard: string[] = [];
    for (const id of ['cancelled', 'closing']) {
      const flight = inFlight.begin(id);
      if (flight !== undefined) flight.onCancel = () => heard.push(id);
    }
    inFlight.cancel({ requestId: 'cancelled' });
    inFlight.abortAll(new ServerClosing('closing'));
    expect(heard).toEqual(['cancelled']);
  });

  it('settles landed when the last request is answered', async () => {
    const inFlight = new InFlight();
    const one = inFlight.begin(1);
    inFlight.begin(2);
    let landed = false;
    const wait = inFlight.landed().then(() => (landed = true));
    if (one !== undefined) inFlight.end(one);
    await Promise.resolve();
    expect(landed).toBe(false);
    inFlight.cancel({ requestId: 2 });
    await wait;
    expect(landed).toBe(true);
    await inFlight.landed();
  });
});
