import { describe, expect, it } from 'vitest';
import { CallCancelled } from '../../src/protocol/call.js';
import { findRevision } from '../../src/protocol/revisions.js';
import type { EventStore, StoredEvent } from '../../src/session/event-store.js';
import { InMemoryEventStore } from '../../src/session/in-memory-event-store.js';
import { InMemorySessionStore } from '../../src/session/in-memory-session-store.js';
import { LiveSession } from '../../src/session/live-session.js';
import type { SessionRecord } from '../../src/session/session-store.js';
import { RecordingLogger, RecordingOutlet, turn } from './recording.js';

const record: SessionRecord = {
  id: 's',
  identityKey: 'alice',
  revision: '2025-11-25',
  clientInfo: { name: 'c', version: '1' },
  clientCapabilities: { roots: {} },
  logLevel: undefined,
  subscriptions: [],
  createdAt: 0,
  touchedAt: 0,
};

function live(events: EventStore = new InMemoryEventStore()) {
  const revision = findRevision('2025-11-25');
  if (revision === undefined) throw new Error('no such revision');
  const sessions = new InMemorySessionStore({ now: () => 0 });
  sessions.create(record);
  const session = new LiveSession(record, revision, { sessions, events, logger: new RecordingLogger() });
  return { session, sessions };
}

/** An event store that answers later, like one on another machine. */
class SlowEventStore implements EventStore {
  readonly #kept = new InMemoryEventStore();
  async append(sessionId: string, streamId: string, event: StoredEvent): Promise<void> {
    await turn();
    this.#kept.append(sessionId, streamId, event);
  }
  async after(sessionId: string, streamId: string, after: number): Promise<readonly StoredEvent[] | undefined> {
    await turn();
    return this.#kept.after(sessionId, streamId, after);
  }
  drop(sessionId: string): void {
    this.#kept.drop(sessionId);
  }
}

describe('LiveSession as a conversation', () => {
  it('remembers what the client said of itself', () => {
    const { session } = live();
    expect(session).toMatchObject({ id: 's', identityKey: 'alice', clientInfo: { name: 'c' }, logLevel: undefined });
    expect(session.clientCapabilities).toEqual({ roots: {} });
  });

  it('keeps log level and subscriptions in the store', async () => {
    const { session, sessions } = live();
    await session.setLogLevel('warning');
    await session.subscribe('x:1');
    await session.subscribe('x:2');
    await session.unsubscribe('x:1');
    expect(session.logLevel).toBe('warning');
    expect(session.subscribed('x:2') && !session.subscribed('x:1')).toBe(true);
    expect(sessions.load('s')).toMatchObject({ logLevel: 'warning', subscriptions: ['x:2'] });
  });

  it('bounds subscriptions by number and by size', () => {
    const { session } = live();
    for (let n = 0; n < 1_000; n += 1) void session.subscribe(`x:${n}`);
    expect(() => session.subscribe('x:one-more')).toThrow('Too many');
    expect(() => session.subscribe('x:1')).not.toThrow();
    expect(() => live().session.subscribe('x'.repeat(300_000))).toThrow('Too many');
  });
});

describe('LiveSession with GET streams', () => {
  it('says a message on exactly one stream, the newest attached', () => {
    const { session } = live();
    const [older, newer] = [new RecordingOutlet(), new RecordingOutlet()];
    session.openStandalone().attach(older);
    session.openStandalone().attach(newer);
    expect(session.say('m')).toBe(true);
    expect([older.texts, newer.texts]).toEqual([[], ['m']]);
  });

  it('falls back to a stream that is still attached', () => {
    const { session } = live();
    const [older, newer] = [new RecordingOutlet(), new RecordingOutlet()];
    session.openStandalone().attach(older);
    const lost = session.openStandalone();
    lost.attach(newer);
    lost.detach(newer);
    session.say('m');
    expect(older.texts).toEqual(['m']);
  });

  it('keeps messages for an interrupted stream and tells them on resumption', async () => {
    const { session } = live();
    const outlet = new RecordingOutlet();
    const stream = session.openStandalone();
    stream.attach(outlet);
    session.say('seen');
    const last = stream.position;
    stream.detach(outlet);
    expect(session.say('missed')).toBe(true);
    const again = new RecordingOutlet();
    await (await session.resume(last))?.connect(again);
    session.say('live');
    expect(again.texts).toEqual(['missed', 'live']);
    expect(outlet.texts).toEqual(['seen']);
  });

  it('says nothing where nobody listens', () => {
    const { session } = live();
    expect(session.say('m')).toBe(false);
  });

  it('closes the oldest of too many streams', () => {
    const { session } = live();
    const outlets = Array.from({ length: 5 }, () => new RecordingOutlet());
    for (const outlet of outlets) session.openStandalone().attach(outlet);
    expect(outlets.map(({ ended }) => ended)).toEqual([true, false, false, false, false]);
  });
});

describe('LiveSession resuming', () => {
  it('replays one stream alone and goes on with it', async () => {
    const { session } = live();
    const [one, other] = [session.openStream(), session.openStream()];
    one.send('one-1');
    other.send('other-1');
    one.send('one-2');
    const outlet = new RecordingOutlet();
    await (await session.resume(`${one.id}-1`))?.connect(outlet);
    expect(outlet.ended).toBe(false);
    one.finish('one-3');
    expect(outlet.texts).toEqual(['one-2', 'one-3']);
    expect(outlet.events.map(({ id }) => id)).toEqual([`${one.id}-2`, `${one.id}-3`]);
    expect(outlet.ended).toBe(true);
  });

  it('replays from a priming event, before anything was said', async () => {
    const { session } = live();
    const stream = session.openStream();
    const outlet = new RecordingOutlet();
    await (await session.resume(stream.position))?.connect(outlet);
    stream.send('first');
    expect(outlet.texts).toEqual(['first']);
  });

  it('gives the rest of a finished stream and closes', async () => {
    const { session } = live();
    const stream = session.openStream();
    stream.send('progress');
    stream.finish('result');
    const outlet = new RecordingOutlet();
    await (await session.resume(`${stream.id}-1`))?.connect(outlet);
    expect(outlet.texts).toEqual(['result']);
    expect(outlet.ended).toBe(true);
  });

  it('loses and repeats nothing while a slow store is read', async () => {
    const { session } = live(new SlowEventStore());
    const stream = session.openStream();
    stream.send('1');
    stream.send('2');
    const resuming = session.resume(`${stream.id}-0`);
    stream.send('3');
    const outlet = new RecordingOutlet();
    const connecting = (await resuming)?.connect(outlet);
    stream.send('4');
    await connecting;
    stream.send('5');
    expect(outlet.texts).toEqual(['1', '2', '3', '4', '5']);
  });

  it.each(['', 'junk', '000000000000-1', '_GET_stream_1'])('knows nothing of %j', async (id) => {
    expect(await live().session.resume(id)).toBeUndefined();
  });

  it('refuses an id from the future, and one whose events are gone', async () => {
    const { session } = live(new InMemoryEventStore({ maxEvents: 1 }));
    const stream = session.openStream();
    stream.send('1');
    stream.send('2');
    stream.send('3');
    expect(await session.resume(`${stream.id}-9`)).toBeUndefined();
    expect(await session.resume(`${stream.id}-1`)).toBeUndefined();
    expect(await session.resume(`${stream.id}-2`)).toBeDefined();
  });

  it('does not resume a stream of another session', async () => {
    const events = new InMemoryEventStore();
    const { session } = live(events);
    const stream = session.openStream();
    stream.send('1');
    const other = new LiveSession({ ...record, id: 'other' }, session.revision, {
      sessions: new InMemorySessionStore(),
      events,
      logger: new RecordingLogger(),
    });
    expect(await other.resume(`${stream.id}-0`)).toBeUndefined();
  });
});

describe('LiveSession ending', () => {
  it('closes GET streams, aborts calls and fails questions', async () => {
    const { session } = live();
    const outlet = new RecordingOutlet();
    session.openStandalone().attach(outlet);
    const flight = session.inFlight.begin(1);
    const { signal } = new AbortController();
    const answer = session.questions.ask(
      { method: 'roots/list', params: undefined, timeoutMs: 1_000, signal },
      () => {},
    );
    const reason = new CallCancelled('over');
    session.end(reason);
    expect(outlet.ended).toBe(true);
    expect(flight?.signal.reason).toBe(reason);
    await expect(answer).rejects.toBe(reason);
    expect(session.ended).toBe(true);
    expect(session.listening).toBe(false);
  });
});
