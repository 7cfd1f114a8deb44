import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStream, KeepAlive } from '../../../src/transport/http/event-stream.js';
import { RawConnection } from './endpoint-fixture.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
let server: Server;
let opened: { stream: EventStream; response: ServerResponse }[];
let gone: EventStream[];
let keepAlive: KeepAlive;

beforeEach(async () => {
  opened = [];
  gone = [];
  keepAlive = new KeepAlive(20);
  server = createServer((_request, response) => {
    opened.push({ stream: new EventStream(response, keepAlive, (stream) => gone.push(stream)), response });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const port = () => (server.address() as AddressInfo).port;

async function open(): Promise<{ connection: RawConnection; stream: EventStream; response: ServerResponse }> {
  const connection = await RawConnection.open(port());
  const before = opened.length;
  connection.write(GET);
  await vi.waitFor(() => expect(opened.length).toBe(before + 1));
  const last = opened.at(-1);
  if (last === undefined) throw new Error('no stream');
  return { connection, ...last };
}

describe('an event stream', () => {
  it('sends its head with the first event, and every event at once', async () => {
    const { connection, stream } = await open();
    stream.event('{"n":1}');
    const text = await connection.until('data: {"n":1}');
    expect(text).toMatch(/^HTTP\/1\.1 200/);
    expect(text.toLowerCase()).toContain('content-type: text/event-stream\r\n');
    expect(text.toLowerCase()).toContain('cache-control: no-cache, no-transform\r\n');
    expect(text.toLowerCase()).toContain('x-accel-buffering: no\r\n');
    stream.event('{"n":2}', 's-2');
    await connection.until('id: s-2\ndata: {"n":2}\n\n');
    stream.retry(100);
    await connection.until('retry: 100\n\n');
    stream.end();
    await connection.until('0\r\n\r\n');
    expect(stream.open).toBe(false);
    expect(gone).toEqual([]);
    connection.socket.destroy();
  });

  it('can be announced before there is anything to say', async () => {
    const { connection, stream } = await open();
    stream.announce();
    await connection.until('\r\n\r\n');
    connection.socket.destroy();
  });

  it('says comments while it is quiet, and its timer ends with the last stream', async () => {
    const { connection, stream } = await open();
    const text = await connection.until(': keep-alive\n\n');
    expect(text).toContain(': keep-alive');
    expect(keepAlive.size).toBe(1);
    stream.end();
    expect(keepAlive.size).toBe(0);
    connection.socket.destroy();
  });

  it('notices once that its client left, and never throws afterwards', async () => {
    const { connection, stream } = await open();
    stream.event('1');
    connection.socket.destroy();
    await vi.waitFor(() => expect(gone).toEqual([stream]));
    stream.event('2');
    stream.beat();
    stream.announce();
    stream.end();
    expect(keepAlive.size).toBe(0);
    expect(gone).toHaveLength(1);
  });

  it('lets go of a client that does not read', async () => {
    const socket = connect(port(), '127.0.0.1');
    socket.pause();
    socket.write(GET);
    await vi.waitFor(() => expect(opened).toHaveLength(1));
    const [first] = opened;
    if (first === undefined) throw new Error('no stream');
    const big = 'x'.repeat(1_000_000);
    for (let sent = 0; sent < 30 && first.stream.open; sent++) {
      first.stream.event(big);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await vi.waitFor(() => expect(gone).toEqual([first.stream]));
    expect(first.response.destroyed).toBe(true);
    socket.destroy();
  });

  it('stays silent on an answer that somebody else gave', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.writeHead(504);
    const stream = new EventStream(response, keepAlive, () => undefined);
    stream.event('1');
    stream.end();
    expect(stream.open).toBe(false);
    expect(keepAlive.size).toBe(0);
  });

  it('asks a compressor to let go of each event', async () => {
    const { connection, stream, response } = await open();
    let flushed = 0;
    Object.assign(response, { flush: () => void (flushed += 1) });
    stream.event('1');
    expect(flushed).toBe(1);
    connection.socket.destroy();
  });
});
