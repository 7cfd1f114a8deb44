import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { remoteTraceOf } from '../../src/telemetry/trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const PARENT = `00-${TRACE}-${SPAN}-01`;

describe('the trace context of a request', () => {
  it('is taken from its _meta', () => {
    expect(remoteTraceOf({ traceparent: PARENT, tracestate: 'congo=t61rcWkgMzE, rojo=00f067aa0ba902b7' })).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      traceFlags: 1,
      traceState: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    });
    expect(remoteTraceOf({ traceparent: `00-${TRACE}-${SPAN}-00` })).toMatchObject({ traceFlags: 0 });
  });

  it('of a later version is read as far as it is known', () => {
    expect(remoteTraceOf({ traceparent: `cc-${TRACE}-${SPAN}-03-what-comes-then` })).toMatchObject({
      traceId: TRACE,
      traceFlags: 1,
    });
  });

  it.each([
    ['nothing', undefined],
    ['a number', 7],
    ['no text', ''],
    ['capital letters', PARENT.toUpperCase()],
    ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 has', `${PARENT}-more`],
    ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a line break', `${PARENT}\n`],
    ['no end', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(600)}`],
  ])('is dropped for %s', (_what, traceparent) => {
    expect(remoteTraceOf({ traceparent })).toBeUndefined();
  });

  it('is no inherited member', () => {
    expect(remoteTraceOf(Object.create({ traceparent: PARENT }) as Record<string, unknown>)).toBeUndefined();
  });

  it.each([
    ['a number', 7],
    ['no text', ''],
    ['no members', 'congo'],
    ['a key in capitals', 'Congo=1'],
    ['a value with an equals sign', 'congo=a=b'],
    ['more members than there may be', Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(',')],
    ['more characters than there may be', `k=${'v'.repeat(600)}`],
    ['control characters', 'congo=a\u0000b'],
  ])('loses a state of %s, and nothing else', (_what, tracestate) => {
    expect(remoteTraceOf({ traceparent: PARENT, tracestate })).toMatchObject({ traceId: TRACE, traceState: undefined });
  });

  it('never fails', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (traceparent, tracestate) => {
        remoteTraceOf({ traceparent, tracestate });
        remoteTraceOf({ traceparent: PARENT, tracestate });
      }),
      { numRuns: 200 },
    );
  });
});
