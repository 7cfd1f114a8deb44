import { describe, expect, it } from 'vitest';
import { eventId, parseEventId } from '../../src/session/event-store.js';
import { InMemoryEventStore } from '../../src/session/in-memory-event-store.js';

const A = 'aaaaaaaaaaaa';
const B = 'bbbbbbbbbbbb';

function filled(store: InMemoryEventStore, session: string, stream: string, count: number, data = 'x'): void {
  for (let seq = 1; seq <= count; seq += 1) store.append(session, stream, { seq, data });
}

describe('event ids', () => {
  it('name their stream', () => {
    expect(parseEventId(eventId(A, 12))).toEqual({ streamId: A, seq: 12 });
  });

  it.each(['', '-1', `${A}`, `${A}-`, `${A}--1`, `${A}-1e3`, `${A}-9999999999999999`, 'AAAAAAAAAAAA-1', `x${A}-1`])(
    'are not %j',
    (text) => {
      expect(parseEventId(text)).toBeUndefined();
    },
  );
});

describe('InMemoryEventStore', () => {
  it('answers what followed on that stream alone', () => {
    const store = new InMemoryEventStore();
    store.append('s', A, { seq: 1, data: 'a1' });
    store.append('s', B, { seq: 1, data: 'b1' });
    store.append('s', A, { seq: 2, data: 'a2' });
    expect(store.after('s', A, 1)?.map(({ data }) => data)).toEqual(['a2']);
    expect(store.after('s', A, 0)?.map(({ data }) => data)).toEqual(['a1', 'a2']);
    expect(store.after('s', A, 2)).toEqual([]);
  });

  it('knows no stream of another session', () => {
    const store = new InMemoryEventStore();
    filled(store, 's', A, 1);
    expect(store.after('other', A, 0)).toBeUndefined();
    expect(store.after('s', B, 0)).toBeUndefined();
  });

  it('keeps the newest events of a session and replays no stream with a hole', () => {
    const store = new InMemoryEventStore({ maxEvents: 3 });
    filled(store, 's', A, 5);
    expect(store.after('s', A, 1)).toBeUndefined();
    expect(store.after('s', A, 2)?.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  });

  it('bounds the characters of a session', () => {
    const store = new InMemoryEventStore({ maxChars: 100 });
    filled(store, 's', A, 50, 'x'.repeat(10));
    expect(store.chars).toBe(100);
    store.append('s', A, { seq: 51, data: 'x'.repeat(1_000) });
    expect(store.chars).toBe(0);
    expect(store.after('s', A, 50)).toBeUndefined();
  });

  it('bounds the characters of all sessions, dropping the quietest', () => {
    const store = new InMemoryEventStore({ maxTotalChars: 100 });
    filled(store, 'quiet', A, 5, 'x'.repeat(10));
    filled(store, 'busy', B, 6, 'x'.repeat(10));
    expect(store.after('quiet', A, 0)).toBeUndefined();
    expect(store.after('busy', B, 0)).toHaveLength(6);
    expect(store.chars).toBe(60);
  });

  it('forgets a session that ended', () => {
    const store = new InMemoryEventStore();
    filled(store, 's', A, 3, 'abc');
    store.drop('s');
    store.drop('unknown');
    expect(store.chars).toBe(0);
    expect(store.after('s', A, 0)).toBeUndefined();
  });
});
