import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, it } from 'vitest';
import { observeWith, type CallTelemetry, type ObserverFor } from '../../src/telemetry/call-observation.js';
import type { McpCallEvent, McpDispatchEnd, McpDispatchStart } from '../../src/telemetry/mcp-observer.js';
import { BADLY, startOf, WELL } from '../assembly/call-start.js';

type Logged = [message: string, error: unknown];

function observed(observers: readonly ObserverFor[], telemetry?: CallTelemetry) {
  const logged: Logged[] = [];
  const observe = observeWith({
    server: () => 'test',
    observers,
    telemetry,
    logger: {
      error: (message, error) => void logged.push([message, error]),
      warn: () => undefined,
      info: () => undefined,
      debug: () => undefined,
    },
  });
  return { observe, logged };
}

const subscribed: (() => void)[] = [];

/** What is published on one of the channels until the test ends. */
function published<T>(name: string): T[] {
  const messages: T[] = [];
  const listener = (message: unknown): void => void messages.push(message as T);
  subscribe(name, listener);
  subscribed.push(() => void unsubscribe(name, listener));
  return messages;
}

afterEach(() => {
  for (const end of subscribed.splice(0)) end();
});

describe('observers', () => {
  it('cost nothing when there are none', () => {
    expect(observed([]).observe(startOf())).toBeUndefined();
  });

  it('are told of a call when it has ended', () => {
    const events: McpCallEvent[] = [];
    const { observe } = observed([() => (event) => void events.push(event)]);
    const observation = observe(startOf());
    expect(observation?.run(() => 'ran')).toBe('ran');
    expect(events).toEqual([]);
    observation?.end(BADLY);
    expect(events).toEqual([
      {
        server: 'test',
        method: 'tools/call',
        kind: 'tool',
        name: 'search',
        source: 'Tools.search',
        transport: 'http',
        revision: '2026-07-28',
        ms: expect.any(Number),
        isError: true,
        error: 'RangeError',
        code: undefined,
        inputRequired: false,
        resultBytes: 12,
        decision: 'none',
        identity: undefined,
        identityKey: undefined,
        sessionId: undefined,
      },
    ]);
    expect(events[0]?.ms).toBeGreaterThanOrEqual(0);
    expect(Object.isFrozen(events[0])).toBe(true);
  });

  it('that throw, reject or cannot be had are logged, and the others are told', async () => {
    const errors = [new Error('threw'), new Error('rejected'), new Error('unresolvable'), new Error('lost')];
    const events: McpCallEvent[] = [];
    const { observe, logged } = observed([
      () => () => {
        throw errors[0];
      },
      () => () => Promise.reject(errors[1]),
      () => Promise.reject(errors[2]),
      () => {
        throw errors[3];
      },
      async () => (event) => void events.push(event),
    ]);
    expect(() => observe(startOf())?.end(WELL)).not.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toHaveLength(1);
    expect(logged.map(([message]) => message)).toEqual(errors.map(() => 'An observer failed'));
    expect(new Set(logged.map(([, error]) => error))).toEqual(new Set(errors));
  });
});

describe('the channels of a process', () => {
  it('carry the start and the stop of a call', () => {
    const starts = published<McpDispatchStart>('nestjs-mcp:dispatch:start');
    const stops = published<McpDispatchEnd>('nestjs-mcp:dispatch:stop');
    const { observe } = observed([]);
    observe(startOf())?.end(WELL);
    observe(startOf({ transport: 'stdio' }))?.end({ ...WELL, isError: true, error: 'tool_error' });
    expect(starts).toHaveLength(2);
    expect(starts[0]).toEqual({
      id: expect.any(Number),
      server: 'test',
      method: 'tools/call',
      kind: 'tool',
      name: 'search',
      source: 'Tools.search',
      transport: 'http',
      revision: '2026-07-28',
    });
    expect(stops.map(({ id }) => id)).toEqual(starts.map(({ id }) => id));
    expect(stops[1]).toEqual({
      ...starts[1],
      ms: expect.any(Number),
      isError: true,
      error: 'tool_error',
      code: undefined,
      inputRequired: false,
      resultBytes: 12,
      decision: 'none',
    });
  });

  it('carry an exception instead of a stop', () => {
    const stops = published('nestjs-mcp:dispatch:stop');
    const exceptions = published<McpDispatchEnd>('nestjs-mcp:dispatch:exception');
    observed([]).observe(startOf())?.end(BADLY);
    expect(stops).toEqual([]);
    expect(exceptions).toMatchObject([{ error: 'RangeError', isError: true }]);
  });

  it('name no caller', () => {
    const stops = published<object>('nestjs-mcp:dispatch:stop');
    observed([]).observe(startOf())?.end(WELL);
    expect(Object.keys(stops[0] ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/identity|session/i)]),
    );
  });

  it('cost nothing when nobody listens any more', () => {
    published('nestjs-mcp:dispatch:stop');
    const { observe } = observed([]);
    expect(observe(startOf())).toBeDefined();
    subscribed.pop()?.();
    expect(observe(startOf())).toBeUndefined();
  });
});

describe('telemetry that fails', () => {
  it('is logged, and the call runs', () => {
    const broken: CallTelemetry = {
      listened: true,
      begin: () => {
        throw new Error('broken');
      },
    };
    const { observe, logged } = observed([], broken);
    const observation = observe(startOf());
    expect(observation?.run(() => 'ran')).toBe('ran');
    observation?.end(WELL);
    expect(logged.map(([message]) => message)).toEqual(['Telemetry failed']);
  });
});
