import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BodyFault, decodeBody, isConsumed, readBody } from '../../../src/transport/http/body.js';
import { RawConnection } from './endpoint-fixture.js';

let server: Server;
let connection: RawConnection;

beforeEach(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  connection = await RawConnection.open((server.address() as AddressInfo).port);
});

afterEach(async () => {
  connection.socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function received(text: string): Promise<IncomingMessage> {
  const request = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
  connection.write(text);
  return request;
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const limits = { bytes: 100, timeoutMs: 1_000 };

async function failure(run: () => Buffer | Promise<Buffer>): Promise<string> {
  try {
    await run();
    return 'none';
  } catch (error) {
    if (!(error instanceof BodyFault)) throw error;
    return error.failure;
  }
}

describe('a body', () => {
  it('that has arrived is there at once', async () => {
    const request = await received(`${head(3)}abc`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const bytes = readBody(request, limits);
    expect(bytes).not.toBeInstanceOf(Promise);
    expect(String(bytes)).toBe('abc');
    expect(isConsumed(request)).toBe(true);
  });

  it('that arrives in pieces is put together', async () => {
    const request = await received(`${head(6)}a`);
    const bytes = Promise.resolve(readBody(request, limits));
    for (const piece of ['b', 'cd', 'ef']) {
      connection.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(String(await bytes)).toBe('abcdef');
  });

  it('may be empty', async () => {
    expect(await readBody(await received(head(0)), limits)).toHaveLength(0);
    expect(await readBody(await received('POST / HTTP/1.1\r\nHost: x\r\n\r\n'), limits)).toHaveLength(0);
  });

  it('is bounded by what is announced, by what arrives, and to the byte', async () => {
    const small = { ...limits, bytes: 3 };
    expect(await failure(async () => readBody(await received(head(4)), small))).toBe('large');
  });

  it.each([
    ['at the bound', 'abc', 'none'],
    ['over the bound', 'abcd', 'large'],
  ])('of unknown length is bounded too: %s', async (_what, text, expected) => {
    const small = { ...limits, bytes: 3 };
    const chunk = `${text.length.toString(16)}\r\n${text}\r\n`;
    const request = await received(`${CHUNKED}${chunk}0\r\n\r\n`);
    expect(await failure(() => readBody(request, small))).toBe(expected);
  });

  it('of unknown length is not read past the bound', async () => {
    const request = await received(CHUNKED);
    const read = failure(() => readBody(request, limits));
    connection.write(`80\r\n${'x'.repeat(128)}\r\n`);
    expect(await read).toBe('large');
    expect(request.isPaused()).toBe(true);
  });

  it('has one deadline, however it drips', async () => {
    const request = await received(head(90));
    const started = performance.now();
    const drip = setInterval(() => connection.write('x'), 20);
    expect(await failure(() => readBody(request, { ...limits, timeoutMs: 150 }))).toBe('slow');
    clearInterval(drip);
    expect(performance.now() - started).toBeGreaterThan(140);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('of a client that leaves is not waited for', async () => {
    const request = await received(`${head(50)}abc`);
    const read = failure(() => readBody(request, limits));
    connection.socket.destroy();
    expect(await read).toBe('gone');
    expect(await failure(() => readBody(request, limits))).not.toBe('none');
  });

  it('that somebody read, or made text of, is lost', async () => {
    const read = await received(`${head(3)}abc`);
    read.resume();
    await new Promise((resolve) => read.once('end', resolve));
    expect(await failure(() => readBody(read, limits))).toBe('consumed');
    const text = await received(`${head(3)}abc`);
    text.setEncoding('utf8');
    expect(await failure(() => readBody(text, limits))).toBe('consumed');
  });
});

describe('text of a body', () => {
  it('is UTF-8, with or without byte order mark', () => {
    expect(decodeBody(Buffer.from('{"é":"🦊"}'))).toBe('{"é":"🦊"}');
    expect(decodeBody(Buffer.from('\ufeff{}'))).toBe('{}');
    expect(decodeBody(new Uint8Array([0x7b, 0x7d]))).toBe('{}');
    expect(decodeBody(Buffer.alloc(0))).toBe('');
  });

  it.each([[[0xff]], [[0x22, 0xc3, 0x22]], [[0xed, 0xa0, 0x80]], [[0xff, 0xfe, 0x7b, 0x00]]])(
    'is refused where it is not: %j',
    (bytes) => {
      expect(decodeBody(Buffer.from(bytes))).toBeUndefined();
    },
  );
});
