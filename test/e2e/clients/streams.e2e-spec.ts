import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PLATFORMS, start, type Running } from '../nest-app.js';
import { libraryModule } from './app/app.module.js';
import { CLIENTS, textOf } from './official-clients.js';
import { firstText, openSession, type RawSession } from './raw-session.js';

/** Lets a call that waits at its gate go on, as soon as it waits there. */
function open(session: RawSession, gate: string): Promise<void> {
  return vi.waitFor(async () => expect(await session.text('open', { gate })).toBe('opened'));
}

describe.each(PLATFORMS)('event streams on %s', (platform) => {
  let running: Running;
  let url: string;

  beforeAll(async () => {
    running = await start(platform, libraryModule());
    url = running.url();
  });
  afterAll(() => running.app.close());

  it('begin with an id to come back with, for a GET and for a call, in 2025-11-25', async () => {
    const session = await openSession(url);
    const standing = await session.listen();
    expect(await standing.next()).toEqual({
      id: expect.stringMatching(/-0$/) as string,
      retry: expect.any(Number) as number,
    });
    const stream = await session.stream('counted', { gate: 'primed' });
    expect(await stream.next()).toEqual({
      id: expect.stringMatching(/-0$/) as string,
      retry: expect.any(Number) as number,
    });
    await open(session, 'primed');
    await stream.rest();
    await standing.cut();
  });

  it.each(['2025-03-26', '2025-06-18'])('have no empty events in %s, whose clients choke on them', async (revision) => {
    const session = await openSession(url, { revision });
    const gate = `unprimed ${revision}`;
    const stream = await session.stream('counted', { gate });
    expect((await stream.next())?.message).toMatchObject({ method: 'notifications/progress' });
    await open(session, gate);
    expect((await stream.rest()).every(({ message }) => message !== undefined)).toBe(true);
  });

  it('give each event an id that no other event of the session has', async () => {
    const session = await openSession(url);
    const gates = ['one', 'two', 'three'];
    const streams = await Promise.all(gates.map((gate) => session.stream('counted', { gate })));
    await Promise.all(gates.map((gate) => open(session, gate)));
    const ids = (await Promise.all(streams.map((stream) => stream.rest()))).flat().map(({ id }) => id);
    expect(ids).toHaveLength(gates.length * 5);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are resumed when the connection was cut mid-call: the call went on, and nothing is told twice', async () => {
    const session = await openSession(url);
    const stream = await session.stream('counted', { gate: 'cut' });
    const first = await stream.message();
    expect(first?.params).toMatchObject({ progress: 1 });
    await stream.cut();
    await open(session, 'cut');
    const resumed = await session.listen(first?.eventId);
    const messages = (await resumed.rest()).map(({ message }) => message);
    expect(messages).toMatchObject([
      { method: 'notifications/progress', params: { progress: 2 } },
      { method: 'notifications/progress', params: { progress: 3 } },
      { result: { content: [{ type: 'text', text: 'counted cut' }] } },
    ]);
  });

  it('are resumed while the call still runs, and go on on the new connection', async () => {
    const session = await openSession(url);
    const stream = await session.stream('counted', { gate: 'running' });
    const first = await stream.message();
    await stream.cut();
    const resumed = await session.listen(first?.eventId);
    await open(session, 'running');
    const rest = (await resumed.rest()).map(
      ({ message }) => message?.params?.['progress'] ?? firstText(message?.result),
    );
    expect(rest).toEqual([2, 3, 'counted running']);
  });

  it('replay only their own events', async () => {
    const session = await openSession(url);
    const gates = ['mine', 'other'];
    const streams = await Promise.all(gates.map((gate) => session.stream('counted', { gate })));
    const firsts = await Promise.all(streams.map((stream) => stream.message()));
    await Promise.all(streams.map((stream) => stream.cut()));
    await Promise.all(gates.map((gate) => open(session, gate)));
    for (const [index, gate] of gates.entries()) {
      const text = JSON.stringify(await (await session.listen(firsts[index]?.eventId)).rest());
      expect(text).toContain(`counted ${gate}`);
      expect(text).not.toContain(gates[1 - index]);
    }
  });

  it('are resumed by nobody else, and by no id that they never had', async () => {
    const [session, other] = await Promise.all([
      openSession(url, { caller: 'ann' }),
      openSession(url, { caller: 'ann' }),
    ]);
    const stream = await session.stream('counted', { gate: 'guarded' });
    const eventId = (await stream.message())?.eventId;
    await stream.cut();
    const statuses = await Promise.all([
      other.get(eventId),
      session.as({ 'x-caller': 'bob' }).get(eventId),
      session.get('000000000000-1'),
      session.get(`${eventId ?? ''}99`),
      session.get('not an id'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([400, 404, 400, 400, 400]);
    await open(session, 'guarded');
    expect(firstText((await (await session.listen(eventId)).rest()).at(-1)?.message?.result)).toBe('counted guarded');
  });

  it('of a GET tell what happened while the client was away', async () => {
    const session = await openSession(url);
    const stream = await session.listen();
    const primed = await stream.next();
    await session.text('announce');
    expect(await stream.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    await stream.cut();
    await session.text('announce');
    const resumed = await session.listen(primed?.id);
    const methods = [];
    for (let count = 0; count < 4; count += 1) methods.push((await resumed.message())?.method);
    expect(methods).toEqual([
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
    await resumed.cut();
  });

  it('of a session never carry the same message twice', async () => {
    const session = await openSession(url);
    const streams = await Promise.all([session.listen(), session.listen()]);
    await session.text('announce');
    await session.delete();
    const events = (await Promise.all(streams.map((stream) => stream.rest()))).flat();
    expect(events.flatMap(({ message }) => message?.method ?? []).toSorted()).toEqual([
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
  });

  it('of several sessions each hear of a change, once', async () => {
    const sessions = await Promise.all([openSession(url), openSession(url), openSession(url, { caller: 'ann' })]);
    const streams = await Promise.all(sessions.map((session) => session.listen()));
    await sessions[0]?.text('announce');
    await Promise.all(sessions.map((session) => session.delete()));
    for (const stream of streams) {
      expect((await stream.rest()).flatMap(({ message }) => message?.method ?? [])).toEqual([
        'notifications/prompts/list_changed',
        'notifications/resources/list_changed',
      ]);
    }
  });

  it('are released early, and the client comes back for the result', async () => {
    const session = await openSession(url);
    const stream = await session.stream('release', { gate: 'released' });
    const events = await stream.rest();
    expect(events.at(-1)).toEqual({ retry: 50 });
    const eventId = events.findLast(({ id }) => id !== undefined)?.id;
    const resumed = await session.listen(eventId);
    await open(session, 'released');
    expect(firstText((await resumed.rest()).at(-1)?.message?.result)).toBe('released released');
  });

  it('are not released in revisions that have no such thing', async () => {
    const session = await openSession(url, { revision: '2025-06-18' });
    const call = session.text('release', { gate: 'kept' });
    await open(session, 'kept');
    expect(await call).toBe('released kept');
  });

  it.each(CLIENTS.filter(({ revision }) => revision === '2025-11-25'))(
    'that were released are fetched by the official client $client',
    async ({ client, connect }) => {
      const connected = await connect({ url });
      await connected.listening;
      const session = await openSession(url);
      const gate = `official ${client}`;
      const call = connected.call({ name: 'release', arguments: { gate } });
      await open(session, gate);
      expect(textOf(await call)).toBe(`released ${gate}`);
      await connected.close();
    },
  );
});
