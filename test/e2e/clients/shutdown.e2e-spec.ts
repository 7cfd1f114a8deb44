import { describe, expect, it, vi } from 'vitest';
import { modern, PLATFORMS, start } from '../nest-app.js';
import { libraryModule } from './app/app.module.js';
import { Streams } from './app/streams.js';
import { CLIENTS } from './official-clients.js';
import { EventReader, firstText, openSession, type StreamEvent } from './raw-session.js';

const DRAIN_MS = 300;

/** `count` times what `make` makes. */
function times<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

describe.each(PLATFORMS)('shutdown on %s', (platform) => {
  it('ends 100 open streams and 20 running calls within its deadline, each with its proper last message', async () => {
    const { app, url } = await start(platform, libraryModule({ drainMs: DRAIN_MS }));
    const listeners = await times(
      50,
      async () =>
        new EventReader(await modern(url(), 'subscriptions/listen', { notifications: { toolsListChanged: true } })),
    );
    const sessions = await times(25, () => openSession(url()));
    const standing = (
      await Promise.all(sessions.map(async (session) => [await session.listen(), await session.listen()]))
    ).flat();
    const handshakeCalls = await Promise.all(
      sessions.slice(0, 10).map((session, index) => session.stream('wait', { label: `handshake ${index}` })),
    );
    const modernCalls = await times(10, async (index) => {
      const params = { name: 'wait', arguments: { label: `modern ${index}` }, _meta: { progressToken: index } };
      return new EventReader(await modern(url(), 'tools/call', params));
    });
    const rest = (readers: readonly EventReader[]): Promise<StreamEvent[][]> =>
      Promise.all(readers.map((reader) => reader.rest()));
    const ends = Promise.all([rest(listeners), rest(standing), rest(handshakeCalls), rest(modernCalls)]);

    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(DRAIN_MS + 2_000);

    const [ofListeners, ofStanding, ofHandshake, ofModern] = await ends;
    for (const events of ofListeners) {
      expect(events[0]?.message?.method).toBe('notifications/subscriptions/acknowledged');
      expect(events.at(-1)?.message).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    }
    // A GET stream carries no responses: it just ends, after the id to come back with.
    for (const events of ofStanding) expect(events.map(({ message }) => message)).toEqual([undefined]);
    for (const [kind, streams] of Object.entries({ handshake: ofHandshake, modern: ofModern })) {
      for (const [index, events] of streams.entries()) {
        expect(firstText(events.at(-1)?.message?.result)).toBe(`${kind} ${index}: ServerClosing`);
      }
    }
  });

  it('answers for a call that does not end, with and without a stream', async () => {
    const { app, url } = await start(platform, libraryModule({ drainMs: DRAIN_MS }));
    const session = await openSession(url());
    const stream = await session.stream('counted', { gate: 'deaf' });
    const silent = session.call('counted', { gate: 'deaf and silent' }, false);
    await vi.waitFor(() => expect(app.get(Streams).waiting).toBe(2));
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(DRAIN_MS + 2_000);
    const error = { code: -32603, message: 'The server is shutting down' };
    expect((await stream.rest()).at(-1)?.message).toMatchObject({ id: 1, error });
    expect(await (await silent).json()).toMatchObject({ id: 2, error });
  });

  it('is a graceful end for the subscription of an official client', async () => {
    const { app, url } = await start(platform, libraryModule());
    const client = await CLIENTS[0]?.connect({ url: url() });
    const subscription = await client?.v2?.listen({ toolsListChanged: true });
    await app.close();
    expect(await subscription?.closed).toBe('graceful');
    await client?.close();
  });
});
