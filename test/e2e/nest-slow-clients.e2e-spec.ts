import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { callTool, PLATFORMS, start } from './nest-app.js';
import { hostModule } from './nest-fixture.js';

const SLOW = 500;
const HEAD = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;

async function median(measure: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 41; run += 1) {
    const began = performance.now();
    await measure();
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other)[20] ?? Number.NaN;
}

/** Opens a connection whose body comes byte by byte. */
async function drip(port: number): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(HEAD);
  return { socket, received: () => received };
}

describe.each(PLATFORMS)('on %s', (platform) => {
  it(`${SLOW} clients whose bodies drip keep nobody waiting, and each is given up at its deadline`, async () => {
    const limits = { bodyTimeoutMs: 4_000 };
    const { app, port, url } = await start(platform, hostModule({ options: { limits } }));
    const call = async (): Promise<void> => expect(await callTool(url(), 'echo', { text: 'hi' })).toBe('hi');
    await median(call);
    const slow = await Promise.all(Array.from({ length: SLOW }, () => drip(port)));
    const timer = setInterval(() => slow.forEach(({ socket }) => socket.writable && socket.write(' ')), 500);
    const ended = Promise.all(slow.map(({ socket }) => once(socket, 'close')));
    // A good call takes a few milliseconds; one that waited for a slow client would take its deadline.
    expect(await median(call)).toBeLessThan(1_000);
    await ended;
    clearInterval(timer);
    expect(slow.filter(({ received }) => !received().startsWith('HTTP/1.1 408 '))).toEqual([]);
    await call();
    await app.close();
  });
});
