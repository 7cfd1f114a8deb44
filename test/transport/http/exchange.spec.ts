import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpEndpoint } from '../../../src/transport/http/endpoint.js';
import type { EndpointOptions } from '../../../src/transport/http/endpoint-options.js';
import type { HttpExchange } from '../../../src/transport/http/exchange.js';
import { ScriptedServer } from '../stdio/scripted-server.js';
import { legacy, LIMITS, modern, RawConnection } from './endpoint-fixture.js';

type Before = (
  raw: IncomingMessage,
  response: ServerResponse,
) => Promise<Partial<HttpExchange>> | Partial<HttpExchange>;

let close: (() => Promise<void>) | undefined;

afterEach(async () => {
  await close?.();
  close = undefined;
});

/** The endpoint behind a host that does something with the request first. */
async function behind(before: Before, more: Partial<EndpointOptions> = {}) {
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  const endpoint = new HttpEndpoint({
    server: new ScriptedServer(),
    logger: { error: log, warn: log, info: log, debug: log },
    limits: LIMITS,
    drainMs: 50,
    ...more,
  });
  const settled: Promise<void>[] = [];
  const server = createServer((raw, rawResponse) => {
    settled.push(
      Promise.resolve(before(raw, rawResponse)).then((given) =>
        endpoint.handle({ raw, rawResponse, request: raw, identity: undefined, identityKey: undefined, ...given }),
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  close = async () => {
    await endpoint.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { endpoint, server, port, url: `http://127.0.0.1:${port}/`, logged, settled };
}

const post = (url: string, { body, headers }: { body: string; headers: Record<string, string> }) =>
  fetch(url, { method: 'POST', body, headers });
const linesOf = (headers: Record<string, string>) => Object.entries(headers).map(([key, value]) => `${key}: ${value}`);

async function drain(raw: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of raw) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('a body that somebody else read', () => {
  it('is taken from the bytes that are left', async () => {
    const { url } = await behind(async (raw) => ({ consumed: { bytes: await drain(raw), parsed: 'nonsense' } }));
    expect(await (await post(url, legacy('ping'))).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('is held to the same limit', async () => {
    const { url } = await behind(async (raw) => ({ consumed: { bytes: await drain(raw) } }), {
      limits: { ...LIMITS, bodyBytes: 10 },
    });
    expect((await post(url, legacy('ping'))).status).toBe(413);
  });

  it('is taken from what a parser made of it, when nothing else is left', async () => {
    const { url } = await behind(async (raw) => ({
      consumed: { parsed: JSON.parse(String(await drain(raw))) as unknown },
    }));
    expect(await (await post(url, legacy('ping'))).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('cannot be shown to the host without its bytes', async () => {
    const { url, logged } = await behind(
      async (raw) => ({ consumed: { parsed: JSON.parse(String(await drain(raw))) as unknown } }),
      {
        rawBody: () => true,
      },
    );
    const answer = await post(url, legacy('ping'));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { code: -32603, message: 'Internal error' } });
    expect(logged).toEqual([expect.stringContaining('read by somebody else')]);
  });

  it('and is lost is an error, never a hang', async () => {
    for (const consumed of [undefined, {}]) {
      const { url } = await behind(async (raw) => {
        await drain(raw);
        return consumed === undefined ? {} : { consumed };
      });
      expect((await post(url, legacy('ping'))).status).toBe(500);
      await close?.();
    }
  });

  it('is not looked at while the stream is untouched', async () => {
    const { url } = await behind(() => ({ consumed: { bytes: Buffer.from('lies'), parsed: 'lies' } }));
    expect((await post(url, legacy('ping'))).status).toBe(200);
  });
});

describe('a client that expects 100-continue', () => {
  const withContinue: Before = (raw, response) => ({
    continue: () => {
      if (raw.headers.expect !== undefined) response.writeContinue();
    },
  });
  const head = (type: string) =>
    `POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: ${type}\r\nContent-Length: ${legacy('ping').body.length}\r\n\r\n`;

  it('is told to go on only when the body is about to be read', async () => {
    const { server, port } = await behind(withContinue);
    server.on('checkContinue', (raw: IncomingMessage, response: ServerResponse) =>
      server.emit('request', raw, response),
    );
    const refused = await RawConnection.open(port);
    expect((await refused.write(head('text/plain')).answer()).status).toBe(415);
    refused.socket.destroy();
    const served = await RawConnection.open(port);
    expect((await served.write(head('application/json')).answer()).status).toBe(100);
    expect((await served.write(legacy('ping').body).answer()).status).toBe(200);
    served.socket.destroy();
  });
});

describe('a client that leaves', () => {
  it('in the middle of its body is not waited for, and nothing is logged', async () => {
    const { port, logged, settled } = await behind(() => ({}));
    const connection = await RawConnection.open(port);
    connection.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json',
    );
    while (settled.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    connection.socket.destroy();
    await Promise.all(settled);
    expect(logged).toEqual([]);
  });

  it('before its body is read is not waited for', async () => {
    const { port, settled } = await behind(async (raw) => {
      await new Promise((resolve) => raw.once('close', resolve));
      return {};
    });
    const connection = await RawConnection.open(port);
    connection.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json',
    );
    while (settled.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    connection.socket.destroy();
    await Promise.all(settled);
  });

  it('while its call runs is told nothing, and nobody fails', async () => {
    const { port, settled, logged, endpoint } = await behind(() => ({}));
    const { body, headers } = modern('tools/call', { name: 'wait' });
    const connection = await RawConnection.open(port);
    connection.post(
      body,
      linesOf(headers).filter((line) => !line.startsWith('mcp-name')),
    );
    while (settled.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 30));
    connection.socket.destroy();
    await Promise.all(settled);
    expect(logged).toEqual([]);
    expect(endpoint.streams).toBe(0);
  });
});

describe('what the host did to the response before', () => {
  it('its headers travel with every kind of answer', async () => {
    const { url } = await behind((_raw, response) => {
      response.setHeader('x-host', 'yes');
      response.setHeader('content-length', '3');
      return {};
    });
    const speak = legacy('tools/call', { name: 'speak', arguments: { count: 1 } });
    for (const request of [legacy('ping'), { ...legacy('ping'), body: 'x' }, speak]) {
      const answer = await post(url, request);
      expect(answer.headers.get('x-host')).toBe('yes');
      expect((await answer.text()).length).toBeGreaterThan(3);
    }
  });

  it('an answer that is already given stays as it is', async () => {
    const { url, logged, settled } = await behind((_raw, response) => {
      response.writeHead(504).end('too late');
      return {};
    });
    for (const request of [legacy('ping'), legacy('tools/call', { name: 'speak', arguments: { count: 2 } })]) {
      const answer = await post(url, request);
      expect([answer.status, await answer.text()]).toEqual([504, 'too late']);
    }
    await Promise.all(settled);
    expect(logged).toEqual([]);
  });
});

describe('what the host does to the response meanwhile', () => {
  it('is left as it is: results and notifications are lost without a fault', async () => {
    const server = new ScriptedServer();
    server.tools['overtaken'] = async (_args, call) => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      call.channel.notify?.('notifications/progress', { progress: 1 });
      return 'x';
    };
    const { url, logged, settled } = await behind(
      (_raw, response) => {
        setTimeout(() => response.writeHead(504).end('too late'), 10);
        return {};
      },
      { server },
    );
    for (const name of ['overtaken', 'slow']) {
      const answer = await post(url, legacy('tools/call', { name, arguments: { ms: 40 } }));
      expect([answer.status, await answer.text()]).toEqual([504, 'too late']);
    }
    await Promise.all(settled);
    expect(logged).toEqual([]);
  });
});

describe('a protocol that fails against its contract', () => {
  it('is answered without detail, under the id of the request', async () => {
    const { url, logged } = await behind(() => ({}));
    const answer = await post(url, legacy('broken', {}, 'q-1'));
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ id: 'q-1', error: { code: -32603 } });
    expect(text).not.toContain('SECRET');
    expect(logged).toHaveLength(1);
    const notified = await post(url, { ...legacy('x'), body: '{"jsonrpc":"2.0","method":"notifications/broken"}' });
    expect(notified.status).toBe(500);
  });

  it('after the stream began breaks the stream off', async () => {
    const server = new ScriptedServer();
    const handle = server.handle.bind(server);
    server.handle = async (message, call) => {
      call.channel.notify?.('notifications/progress', { progress: 1 });
      await handle(message, call);
      throw new Error('SECRET');
    };
    const { url } = await behind(() => ({}), { server });
    await expect(post(url, legacy('ping')).then((answer) => answer.text())).rejects.toThrow();
  });
});

describe('connections', () => {
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  it('are kept after a refusal that came after the body', async () => {
    const { port } = await behind(() => ({}), { rawBody: (_request, bytes) => bytes.length < 16_000 });
    const connection = await RawConnection.open(port);
    const { headers } = legacy('ping');
    const padded = (body: string) => body.padEnd(16_384);
    for (const [body, status] of [
      [padded(legacy('ping').body), 403],
      [`{not json ${'x'.repeat(8_000)}`, 400],
      ['[]', 400],
      [modern('ping').body, 400],
      ['{"jsonrpc":"2.0"}', 400],
    ] as const) {
      expect((await connection.post(body, linesOf(headers)).answer()).status).toBe(status);
      expect((await connection.post(legacy('ping').body, linesOf(headers)).answer()).status).toBe(200);
    }
    connection.socket.destroy();
  });

  it('are closed after one that came before, and a pipelined request is not answered', async () => {
    const { port } = await behind(() => ({}));
    const connection = await RawConnection.open(port);
    connection.write(get + get);
    const all = await connection.rest();
    expect(all.match(/HTTP\/1\.1 405/g)).toHaveLength(1);
    expect(all).toMatch(/connection: close/i);
    expect(all.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('serve pipelined requests in order', async () => {
    const { port } = await behind(() => ({}));
    const connection = await RawConnection.open(port);
    const slow = legacy('tools/call', { name: 'slow', arguments: { ms: 40, text: 'a' } }, 1);
    connection.post(slow.body, linesOf(slow.headers)).post(legacy('ping', {}, 2).body, linesOf(slow.headers));
    expect(JSON.parse((await connection.answer()).body)).toMatchObject({ id: 1 });
    expect(JSON.parse((await connection.answer()).body)).toMatchObject({ id: 2 });
    connection.socket.destroy();
  });

  it('deliver a refusal to a client that goes on sending', async () => {
    const { port } = await behind(() => ({}));
    const connection = await RawConnection.open(port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 60000\r\n\r\n');
    const chunk = 'x'.repeat(10_000);
    for (let sent = 0; sent < 6; sent++) {
      connection.write(chunk);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect((await connection.answer()).status).toBe(415);
    await connection.rest();
  });

  it('are not read beyond a little for a refused client', async () => {
    const { port } = await behind(() => ({}));
    const connection = await RawConnection.open(port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 33554432\r\n\r\n');
    connection.write('x'.repeat(8_000_000));
    const started = performance.now();
    await connection.rest();
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('of an encoded body are refused', async () => {
    const { url } = await behind(() => ({}));
    const { body, headers } = legacy('ping');
    const answer = await post(url, { body, headers: { ...headers, 'content-encoding': 'gzip' } });
    expect(answer.status).toBe(415);
  });

  it('say the length of an empty answer', async () => {
    const { port } = await behind(() => ({}));
    const connection = await RawConnection.open(port);
    const { headers } = legacy('x');
    const answer = await connection.post('{"jsonrpc":"2.0","method":"notifications/x"}', linesOf(headers)).answer();
    expect(answer.status).toBe(202);
    expect(answer.head).toMatch(/content-length: 0/i);
    expect(answer.head).not.toMatch(/content-type|transfer-encoding/i);
    connection.socket.destroy();
  });
});
