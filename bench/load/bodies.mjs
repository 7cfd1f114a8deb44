// 1,000 bodies at the cap, 1,000 one byte past it, and 200 that say so little and send more.
import { setTimeout as sleep } from 'node:timers/promises';
import { rpcOf } from '../lib/http.mjs';
import { callOnce, connectionsTo, Figures, heapOf, rawSocket, serve } from './client.mjs';

const CAP = 64 * 1024;
const COUNT = 1000;

function bodyOf(size) {
  const head = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"';
  return `${head}${'x'.repeat(size - head.length - 4)}"}}}`;
}

async function sendAll(server, body) {
  const connections = await connectionsTo(server, COUNT);
  const request = `${server.wire.head('POST')}Content-Length: ${body.length}\r\n\r\n${body}`;
  const answers = await Promise.all(
    connections.map((connection) => connection.request(request).catch(() => ({ status: 0, body: '' }))),
  );
  for (const connection of connections) connection.close();
  return answers;
}

export async function bodies() {
  const figures = new Figures(`${COUNT} bodies at a cap of ${CAP / 1024} KiB, all at once`);
  const server = await serve({ CAP: String(CAP) });
  await sendAll(server, bodyOf(1000));
  const before = await heapOf(server);
  const rss = (await server.stats()).mem.rss;
  const full = await sendAll(server, bodyOf(CAP));
  const peak = (await server.stats()).mem.rss - rss;
  const echoed = full.filter((answer) => answer.status === 200 && rpcOf(answer).result.content[0].text.length > 65_000);
  figures.add('echoed', echoed.length, { exactly: COUNT });
  figures.add('RSS more than before', peak / 1e6, { unit: 'MB', most: 1000 });
  const past = await sendAll(server, bodyOf(CAP + 1));
  figures.add('one byte more, refused with 413', past.filter(({ status }) => status === 413).length, {
    exactly: COUNT,
  });
  const chunked = `${server.wire.head('POST')}Transfer-Encoding: chunked\r\n\r\n`;
  const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
  const sockets = await Promise.all(
    Array.from({ length: 200 }, () => rawSocket(server, chunked + chunk + chunk + chunk)),
  );
  await sleep(1500);
  const refused = sockets.filter((socket) => socket.text.startsWith('HTTP/1.1 413'));
  figures.add('chunked past the cap, refused with 413', refused.length, { exactly: 200 });
  for (const socket of sockets) socket.destroy();
  await sleep(500);
  figures.add('heap more than before', ((await heapOf(server)) - before) / 1e6, { unit: 'MB', most: 3 });
  figures.add('echo afterwards', (await callOnce(server, 'echo', { text: 'a' })).message.result.content[0].text, {
    exactly: 'a',
  });
  await server.stop();
  return figures.broken;
}
