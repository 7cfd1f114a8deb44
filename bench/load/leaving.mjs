// Clients that leave in the middle of a body, of a call, and of a stream.
import { setTimeout as sleep } from 'node:timers/promises';
import { call, callOnce, factsOf, Figures, heapOf, MODERN, rawSocket, serve } from './client.mjs';

const CLIENTS = 500;

/** They come, wait until the server has done as much as it will, and leave. */
async function leave(server, bytes, ready) {
  const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => rawSocket(server, bytes)));
  const countOf = () => sockets.filter((socket) => socket.text !== '').length;
  await ready(countOf);
  const answered = countOf();
  for (const socket of sockets) socket.resetAndDestroy();
  return answered;
}

export async function leaving() {
  const figures = new Figures(`${CLIENTS} clients that leave, at each point`);
  const server = await serve({}, MODERN);
  const { wire } = server;
  const body = `${wire.head('POST')}Content-Length: 1000\r\n\r\n{"jsonrpc":"2.0","id":`;
  const progress = { name: 'talk', arguments: { ms: 60_000 }, _meta: { progressToken: 'p' } };
  const talk = talkOf(wire, progress);
  const running = (count) =>
    until(async () => {
      const { started, ended } = await factsOf(server);
      return started - ended === count;
    });
  const points = [
    ['mid-body', body, () => sleep(500)],
    ['mid-call', call(wire, 'wait', { ms: 60_000 }), () => running(CLIENTS)],
    ['mid-stream', talk, async (countOf) => until(() => countOf() === CLIENTS)],
  ];
  for (const [, bytes, ready] of points) await leave(server, bytes, ready);
  await running(0);
  const before = await heapOf(server);
  const { started } = await factsOf(server);
  for (const [point, bytes, ready] of points) {
    const answered = await leave(server, bytes, ready);
    figures.add(`${point}: were being answered`, answered, { exactly: point === 'mid-stream' ? CLIENTS : 0 });
  }
  await running(0);
  const facts = await factsOf(server);
  figures.add('handlers begun', facts.started - started, { exactly: 2 * CLIENTS });
  figures.add('handlers told to stop, of all', facts.aborted, { exactly: facts.started });
  figures.add('handlers still running', facts.started - facts.ended, { exactly: 0 });
  figures.add('heap more than before', ((await heapOf(server)) - before) / 1e6, { unit: 'MB', most: 3 });
  figures.add('unhandled rejections', facts.unhandled, { exactly: 0 });
  const { message } = await callOnce(server, 'echo', { text: 'a' });
  figures.add('echo afterwards', message.result.content[0].text, { exactly: 'a' });
  await server.stop();
  return figures.broken;
}

/** Waits until it is so, for ten seconds at most. */
async function until(holds) {
  for (let left = 100; left > 0 && !(await holds()); left -= 1) await sleep(100);
}

/** A call that may report progress. */
function talkOf(wire, { _meta, ...params }) {
  const [head, body] = wire.maker('tools/call', params)(1_000_001).split('\r\n\r\n');
  const message = JSON.parse(body);
  Object.assign(message.params._meta, _meta);
  const text = JSON.stringify(message);
  return `${head.replace(/Content-Length: \d+/, `Content-Length: ${text.length}`)}\r\n\r\n${text}`;
}
