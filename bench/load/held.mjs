// 10,000 sessions and 1,000 open event streams: what each holds, and what is left once they are over.
import { setTimeout as sleep } from 'node:timers/promises';
import { option } from '../lib/options.mjs';
import { connectionsTo, Figures, heapOf, rawSocket, serve } from './client.mjs';

const SESSIONS = 10_000;
const STREAMS = 1000;
/** Sessions must outlive the time it takes to open them all. */
const IDLE_MS = 60_000;
/** In kB; of it a bare stream of the platform holds 8.5 on Express and 5.2 on Fastify. */
const PER_STREAM = { express: 12, fastify: 8 };

async function openSessions(server, connections, count) {
  const ids = [];
  let left = count;
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) ids.push(await server.wire.initialize(connection));
    }),
  );
  return ids;
}

export async function held() {
  const figures = new Figures(`${SESSIONS} sessions, then ${STREAMS} open streams`);
  const settings = { SESSIONS: 'memory', IDLE_MS: String(IDLE_MS), KEPT: String(SESSIONS + 1000) };
  const server = await serve(settings, { session: true });
  const { wire } = server;
  const connections = await connectionsTo(server, 32);
  await openSessions(server, connections, 500);
  const warm = await heapOf(server);
  const ids = await openSessions(server, connections, SESSIONS);
  const withSessions = await heapOf(server);
  figures.add('heap per session', (withSessions - warm) / SESSIONS / 1024, { unit: 'kB', most: 2 });
  const heads = ids.slice(0, STREAMS).map((id) => `${wire.head('GET', { 'Mcp-Session-Id': id })}\r\n`);
  const sockets = await Promise.all(heads.map((head) => rawSocket(server, head)));
  await sleep(1000);
  figures.add('streams', sockets.filter(({ text }) => /^HTTP\/1.1 200 [^]*event-stream/i.test(text)).length, {
    exactly: STREAMS,
  });
  figures.add('heap per stream', ((await heapOf(server)) - withSessions) / STREAMS / 1024, {
    unit: 'kB',
    most: PER_STREAM[option('platform', 'express')],
  });
  for (const socket of sockets) socket.destroy();
  await sleep(IDLE_MS + 1000);
  const [connection] = connections;
  const late = `${wire.head('POST', { 'Mcp-Session-Id': ids[0] })}Content-Length: 40\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}`;
  figures.add('status of a call in an expired session', (await connection.request(late)).status, { exactly: 404 });
  await openSessions(server, connections, 1);
  await sleep(500);
  const over = (await heapOf(server)) - warm;
  figures.add('heap more than before, after all expired', over / 1e6, {
    unit: 'MB',
    most: Math.max(3, (0.1 * warm) / 1e6),
  });
  for (const open of connections) open.close();
  await server.stop();
  return figures.broken;
}
