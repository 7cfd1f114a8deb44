import { describe, expect, it } from 'vitest';
import { InMemorySessionStore } from '../../src/session/in-memory-session-store.js';
import type { SessionRecord } from '../../src/session/session-store.js';

function record(id: string, now = 0): SessionRecord {
  return {
    id,
    identityKey: undefined,
    revision: '2025-11-25',
    clientInfo: { name: 'c', version: '1' },
    clientCapabilities: {},
    logLevel: undefined,
    subscriptions: [],
    createdAt: now,
    touchedAt: now,
  };
}

describe('InMemorySessionStore', () => {
  it('never overwrites a session', () => {
    const store = new InMemorySessionStore({ now: () => 0 });
    expect(store.create(record('a'))).toBe(true);
    expect(store.create({ ...record('a'), identityKey: 'thief' })).toBe(false);
    expect(store.load('a')?.identityKey).toBeUndefined();
    store.close();
  });

  it('ends a session that was idle for idleMs, and tells', () => {
    let now = 0;
    const store = new InMemorySessionStore({ idleMs: 1_000, now: () => now });
    const ended: string[] = [];
    store.onEnd((id) => ended.push(id));
    store.create(record('a'));
    now = 999;
    expect(store.touch('a')).toBe(true);
    now = 1_998;
    expect(store.load('a')).toBeDefined();
    now = 1_999;
    expect(store.load('a')).toBeUndefined();
    expect(store.touch('a')).toBe(false);
    expect(ended).toEqual(['a']);
  });

  it('ends the one that was idle longest when there is one too many', () => {
    let now = 0;
    const store = new InMemorySessionStore({ max: 2, now: () => now });
    const ended: string[] = [];
    store.onEnd((id) => ended.push(id));
    store.create(record('a', now));
    store.create(record('b', (now += 1)));
    now += 1;
    store.touch('a');
    store.create(record('c', (now += 1)));
    expect(ended).toEqual(['b']);
    expect(store.size).toBe(2);
    store.close();
  });

  it('frees expired sessions without being asked for them', async () => {
    const store = new InMemorySessionStore({ idleMs: 20 });
    store.create(record('a', Date.now()));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(store.size).toBe(0);
  });

  it('applies changes one by one', () => {
    const store = new InMemorySessionStore({ now: () => 0 });
    store.create(record('a'));
    store.change('a', { subscribe: 'x:1' });
    store.change('a', { subscribe: 'x:2' });
    store.change('a', { subscribe: 'x:1' });
    store.change('a', { unsubscribe: 'x:2' });
    store.change('a', { unsubscribe: 'x:3' });
    store.change('a', { logLevel: 'error' });
    store.change('unknown', { logLevel: 'error' });
    expect(store.load('a')).toMatchObject({ subscriptions: ['x:1'], logLevel: 'error' });
    store.close();
  });

  it('keeps plain data that survives JSON', () => {
    const store = new InMemorySessionStore({ now: () => 0 });
    store.create({ ...record('a'), identityKey: 'alice', logLevel: 'info' });
    const loaded = store.load('a');
    expect(JSON.parse(JSON.stringify(loaded))).toEqual(loaded);
    store.close();
  });

  it('destroys once', () => {
    const store = new InMemorySessionStore({ now: () => 0 });
    store.create(record('a'));
    expect(store.destroy('a')).toBe(true);
    expect(store.destroy('a')).toBe(false);
  });
});
