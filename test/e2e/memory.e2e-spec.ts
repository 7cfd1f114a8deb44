import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { builtApp } from './clients/built-app.js';
import { openSession, type RawSession } from './clients/raw-session.js';
import { PLATFORMS } from './nest-app.js';
import { ServerProcess } from './server-process.js';

const SESSIONS = 10_000;
const STREAMS = 1_000;
const AT_ONCE = 50;
const IDLE_MS = 1_800_000;
const KILOBYTE = 1_024;
/** What a bare event stream of the platform holds already: Express 8.5 kB, Fastify 5.2 kB, `node:http` 4.6 kB. */
const PER_STREAM = { express: 12, fastify: 9 };

/** Opens so many, some at a time. */
async function many<T>(count: number, open: (index: number) => Promise<T>): Promise<T[]> {
  const opened: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) opened.push(await open(next++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return opened;
}

/** A GET stream of a session, once its head is there. */
function listen({ id }: RawSession, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const lines = ['accept: text/event-stream', `mcp-session-id: ${id}`, 'mcp-protocol-version: 2025-11-25'];
      socket.write(`GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    });
    socket.once('error', reject);
    socket.once('data', (head) => {
      if (/^HTTP\/1\.1 200 [^]*text\/event-stream/.test(head.toString('latin1'))) resolve(socket);
      else reject(new Error(head.toString('latin1')));
    });
  });
}

describe.each(PLATFORMS)(`${SESSIONS} sessions and ${STREAMS} open streams on %s`, (platform) => {
  const server = new ServerProcess(builtApp(), { PLATFORM: platform, SESSIONS: String(2 * SESSIONS) });
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.stop();
  });

  it('hold little, and give it back once they are over', async () => {
    await server.start();
    await many(500, () => openSession(server.url));
    for (const socket of await many(100, async () => listen(await openSession(server.url), server.port))) {
      socket.destroy();
    }
    await sleep(200);
    const before = await server.heap();

    const sessions = await many(SESSIONS, () => openSession(server.url));
    const withSessions = await server.heap();
    const perSession = (withSessions - before) / SESSIONS;
    sockets.push(...(await many(STREAMS, (index) => listen(sessions[index] as RawSession, server.port))));
    const perStream = ((await server.heap()) - withSessions) / STREAMS;
    console.log(
      `${platform}: ${(perSession / KILOBYTE).toFixed(2)} kB a session, ${(perStream / KILOBYTE).toFixed(2)} kB a stream`,
    );
    expect(perSession).toBeLessThan(2 * KILOBYTE);
    expect(perStream).toBeLessThan(PER_STREAM[platform] * KILOBYTE);

    for (const socket of sockets) socket.destroy();
    await sleep(500);
    await server.heap(IDLE_MS + 1_000);
    expect((await sessions[0]?.request('ping'))?.status).toBe(404);
    await openSession(server.url);
    expect((await server.heap()) - before).toBeLessThan(Math.max(3_000_000, before / 10));
  }, 240_000);
});
