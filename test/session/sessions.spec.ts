import { afterEach, describe, expect, it } from 'vitest';
import { CallCancelled, ServerClosing } from '../../src/protocol/call.js';
import { findRevision } from '../../src/protocol/revisions.js';
import { InMemoryEventStore } from '../../src/session/in-memory-event-store.js';
import { InMemorySessionStore } from '../../src/session/in-memory-session-store.js';
import { Sessions, type OpeningFacts, type SessionsOptions } from '../../src/session/sessions.js';
import { RecordingLogger, RecordingOutlet } from './recording.js';

const revision = findRevision('2025-11-25');
if (revision === undefined) throw new Error('no such revision');

const facts: OpeningFacts = {
  identityKey: 'alice',
  revision,
  clientInfo: { name: 'c', version: '1' },
  clientCapabilities: { elicitation: {} },
};

const opened: Sessions[] = [];

function make(options: Partial<SessionsOptions> = {}): Sessions {
  const sessions = new Sessions({ logger: new RecordingLogger(), ...options });
  opened.push(sessions);
  return sessions;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

afterEach(() => {
  for (const sessions of opened.splice(0)) sessions.close();
});

describe('Sessions', () => {
  it('finds a session for its owner, with what initialize told', async () => {
    const sessions = make();
    const { id } = await sessions.open(facts);
    expect(id).toMatch(/^[\x21-\x7e]+$/);
    const found = await sessions.find(id, 'alice');
    expect(found?.clientCapabilities).toEqual({ elicitation: {} });
    expect(found?.revision).toBe(revision);
  });

  it('does not tell an unknown session from another caller’s', async () => {
    const sessions = make();
    const { id } = await sessions.open(facts);
    expect(await sessions.find(id, 'bob')).toBeUndefined();
    expect(await sessions.find(id, undefined)).toBeUndefined();
    expect(await sessions.find('11111111-2222-4333-8444-555555555555', 'alice')).toBeUndefined();
    expect(await sessions.end(id, 'bob')).toBe(false);
    expect(await sessions.find(id, 'alice')).toBeDefined();
  });

  it.each(['', 'with space', 'é', 'x'.repeat(257), 'line\nbreak'])('asks no store for %j', async (id) => {
    const asked: string[] = [];
    const store = new InMemorySessionStore();
    const load = store.load.bind(store);
    store.load = (each): ReturnType<typeof load> => {
      asked.push(each);
      return load(each);
    };
    expect(await make({ store }).find(id, undefined)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('answers with one live session to all who find it', async () => {
    const sessions = make();
    const { id } = await sessions.open(facts);
    const [one, two] = await Promise.all([sessions.find(id, 'alice'), sessions.find(id, 'alice')]);
    expect(one).toBe(two);
  });

  it('is dead after end, and its calls, streams and events with it', async () => {
    const events = new InMemoryEventStore();
    const sessions = make({ events });
    const session = await sessions.open(facts);
    const outlet = new RecordingOutlet();
    session.openStandalone().attach(outlet);
    session.say('m');
    const flight = session.inFlight.begin(1);
    expect(await sessions.end(session.id, 'alice')).toBe(true);
    expect(await sessions.end(session.id, 'alice')).toBe(false);
    expect(await sessions.find(session.id, 'alice')).toBeUndefined();
    expect(outlet.ended).toBe(true);
    expect(flight?.signal.reason).toBeInstanceOf(CallCancelled);
    expect(events.chars).toBe(0);
    expect(sessions.liveCount).toBe(0);
  });

  it('is used by two servers that share a store', async () => {
    const store = new InMemorySessionStore();
    const [a, b] = [make({ store }), make({ store })];
    const { id } = await a.open(facts);
    const there = await b.find(id, 'alice');
    await there?.setLogLevel('error');
    expect((await a.find(id, 'alice'))?.logLevel).toBe('error');
    const outlet = new RecordingOutlet();
    (await a.find(id, 'alice'))?.openStandalone().attach(outlet);
    await b.end(id, 'alice');
    expect(await a.find(id, 'alice')).toBeUndefined();
    expect(outlet.ended).toBe(true);
  });

  it('keeps answers of one session from the questions of another', async () => {
    const sessions = make();
    const [mine, other] = [await sessions.open(facts), await sessions.open(facts)];
    let sent = '';
    const { signal } = new AbortController();
    const question = { method: 'roots/list', params: undefined, timeoutMs: 1_000, signal };
    const answer = mine.questions.ask(question, (text) => (sent = text));
    const { id } = JSON.parse(sent) as { id: string };
    expect(other.questions.settle({ kind: 'response', id, result: {} })).toBe(false);
    expect(mine.questions.settle({ kind: 'response', id, result: { roots: [] } })).toBe(true);
    expect(await answer).toEqual({ roots: [] });
  });

  it('cancels requests of that session alone', async () => {
    const sessions = make();
    const [mine, other] = [await sessions.open(facts), await sessions.open(facts)];
    const flight = mine.inFlight.begin(1);
    expect(other.inFlight.cancel({ requestId: 1 })).toBe(false);
    expect(flight?.open).toBe(true);
  });
});

describe('Sessions with ids of the host', () => {
  it('generates, validates and tells of the end', async () => {
    const ended: string[] = [];
    const sessions = make({
      ids: {
        generate: ({ identityKey, clientName }) => `${identityKey}/${clientName}/1`,
        validate: (id) => id !== 'alice/c/1' || ended.length === 0,
        terminate: (id) => void ended.push(id),
      },
    });
    const { id } = await sessions.open(facts);
    expect(id).toBe('alice/c/1');
    expect(await sessions.find(id, 'alice')).toBeDefined();
    await sessions.end(id, 'alice');
    expect(ended).toEqual(['alice/c/1']);
  });

  it('refuses what validate refuses, and knows nothing the store does not know', async () => {
    let valid = false;
    const sessions = make({ ids: { validate: () => Promise.resolve(valid) } });
    const { id } = await sessions.open(facts);
    expect(await sessions.find(id, 'alice')).toBeUndefined();
    valid = true;
    expect(await sessions.find(id, 'alice')).toBeDefined();
    expect(await sessions.find('made-up', 'alice')).toBeUndefined();
  });

  it.each(['', 'with space', 'Größe', 'x'.repeat(257)])('refuses to open with the id %j', async (id) => {
    await expect(make({ ids: { generate: () => id } }).open(facts)).rejects.toThrow('visible ASCII');
  });

  it('never opens a session over another', async () => {
    const sessions = make({ ids: { generate: () => 'same' } });
    await sessions.open(facts);
    await expect(sessions.open({ ...facts, identityKey: 'bob' })).rejects.toThrow('in use');
    expect(await sessions.find('same', 'alice')).toBeDefined();
  });
});

describe('Sessions delivering changes', () => {
  it('tells each listening session once, however many streams it has', async () => {
    const sessions = make();
    const outlets = [new RecordingOutlet(), new RecordingOutlet(), new RecordingOutlet()] as const;
    const one = await sessions.open(facts);
    one.openStandalone().attach(outlets[0]);
    one.openStandalone().attach(outlets[1]);
    (await sessions.open(facts)).openStandalone().attach(outlets[2]);
    await sessions.open(facts);
    sessions.deliver({ kind: 'tools' });
    expect(outlets[0].texts.length + outlets[1].texts.length).toBe(1);
    expect(outlets[2].texts).toEqual(['{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}']);
  });

  it('tells of a resource those who subscribed to it', async () => {
    const sessions = make();
    const [one, two] = [await sessions.open(facts), await sessions.open(facts)];
    const outlets = [new RecordingOutlet(), new RecordingOutlet()] as const;
    one.openStandalone().attach(outlets[0]);
    two.openStandalone().attach(outlets[1]);
    await one.subscribe('x:1');
    await two.subscribe('x:2');
    sessions.deliver({ kind: 'resource', uri: 'x:1' });
    sessions.deliver({ kind: 'task', id: 't' });
    expect(outlets.map(({ texts }) => texts.length)).toEqual([1, 0]);
  });

  it('does not let a dead stream keep the change from others', async () => {
    const logger = new RecordingLogger();
    const sessions = make({ logger });
    const dead = new RecordingOutlet();
    dead.event = (): void => {
      throw new Error('dead');
    };
    (await sessions.open(facts)).openStandalone().attach(dead);
    const outlet = new RecordingOutlet();
    (await sessions.open(facts)).openStandalone().attach(outlet);
    sessions.deliver({ kind: 'prompts' });
    expect(outlet.texts).toHaveLength(1);
    expect(logger.errors).toHaveLength(1);
  });
});

describe('Sessions over time', () => {
  it('expires idle sessions and keeps those that listen or work', async () => {
    const store = new InMemorySessionStore({ idleMs: 600 });
    const sessions = make({ store, heartbeatMs: 50 });
    const idle = await sessions.open(facts);
    const listening = await sessions.open(facts);
    listening.openStandalone().attach(new RecordingOutlet());
    const working = await sessions.open(facts);
    working.inFlight.begin(1);
    await wait(1_800);
    expect(await sessions.find(idle.id, 'alice')).toBeUndefined();
    expect(await sessions.find(listening.id, 'alice')).toBe(listening);
    expect(await sessions.find(working.id, 'alice')).toBe(working);
  });

  it('lets go of the live part of a session that is only remembered', async () => {
    const sessions = make({ heartbeatMs: 20 });
    const { id } = await sessions.open(facts);
    await wait(100);
    expect(sessions.liveCount).toBe(0);
    expect(await sessions.find(id, 'alice')).toBeDefined();
  });

  it('closes the streams of a session that was pushed out', async () => {
    const store = new InMemorySessionStore({ max: 1 });
    const sessions = make({ store });
    const outlet = new RecordingOutlet();
    (await sessions.open(facts)).openStandalone().attach(outlet);
    await sessions.open(facts);
    expect(outlet.ended).toBe(true);
  });

  it('ends everything at shutdown, and tells calls that the server is closing', async () => {
    const sessions = make();
    const session = await sessions.open(facts);
    const outlet = new RecordingOutlet();
    session.openStandalone().attach(outlet);
    const flight = session.inFlight.begin(1);
    sessions.close();
    expect(outlet.ended).toBe(true);
    expect(flight?.signal.reason).toBeInstanceOf(ServerClosing);
    expect(await sessions.find(session.id, 'alice')).toBeUndefined();
  });

  it('leaves the sessions of a shared store to the other instances', async () => {
    const store = new InMemorySessionStore();
    const [a, b] = [make({ store }), make({ store })];
    const { id } = await a.open(facts);
    a.close();
    expect(await b.find(id, 'alice')).toBeDefined();
  });
});
