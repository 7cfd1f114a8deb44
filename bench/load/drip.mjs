// 1,000 connections that send a byte now and then, while honest calls go on.
import { setTimeout as sleep } from 'node:timers/promises';
import { Figures, honestCalls, percentile, rawSocket, serve } from './client.mjs';

const DRIPS = 1000;
const BODY_MS = 6000;
const HONEST = 8;

export async function drip() {
  const figures = new Figures(`${DRIPS} drip-fed connections, ${HONEST} honest ones`);
  const server = await serve({ BODY_MS: String(BODY_MS) });
  await honestCalls(server, HONEST, sleep(2000));
  const alone = await honestCalls(server, HONEST, sleep(3000));
  const head = `${server.wire.head('POST')}Content-Length: 1000\r\n\r\n{"jsonrpc":"2.0"`;
  const sockets = await Promise.all(Array.from({ length: DRIPS }, () => rawSocket(server, head)));
  const timer = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write(' ')), 500);
  const during = await honestCalls(server, HONEST, sleep(BODY_MS - 1000));
  await sleep(3000);
  clearInterval(timer);
  const refused = sockets.filter((socket) => socket.text.startsWith('HTTP/1.1 408'));
  figures.add('p99 of honest calls alone', percentile(alone, 0.99), { unit: 'ms' });
  figures.add('p99 of honest calls meanwhile', percentile(during, 0.99), {
    unit: 'ms',
    most: Math.max(100, 5 * Math.ceil(percentile(alone, 0.99))),
  });
  figures.add('honest calls answered meanwhile', during.length, { least: 1000 });
  figures.add('drips refused with 408', refused.length, { exactly: DRIPS });
  figures.add('of those, closed', sockets.filter((socket) => socket.readableEnded || socket.destroyed).length, {
    exactly: DRIPS,
  });
  for (const socket of sockets) socket.destroy();
  await server.stop();
  return figures.broken;
}
