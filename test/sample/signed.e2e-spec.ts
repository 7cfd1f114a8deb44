import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedFetch } from '../../sample/06-signed/signature/signed-fetch.js';
import { clientOf, listen, MODES, type Listening } from './sample-process.js';

const SECRET = 'for the demonstration only';
const now = (): string => String(Math.floor(Date.now() / 1_000));
const signature = (body: string, seconds = now(), secret = SECRET): Record<string, string> => ({
  'x-signed-at': seconds,
  'x-signature': createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'),
});
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('sample 06-signed', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen('06-signed/main.js');
  });
  afterAll(() => server.stop());

  const post = (body: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${server.origin}/mcp`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        ...headers,
      },
    });

  it.each(MODES)('serves a %s client that signs', async (mode) => {
    const client = clientOf(mode);
    const transport = new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), {
      fetch: signedFetch(SECRET),
    });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: 'book', arguments: { cents: 250 } });
    expect(structuredContent).toEqual({ balance: expect.any(Number) });
    await client.close();
  });

  it('judges the bytes as they came, odd spaces and all', async () => {
    const odd = `\r\n { "jsonrpc" : "2.0",\t"id":1 , "method":"ping" }  `;
    expect((await post(odd, signature(odd))).status).toBe(200);
    expect((await post(odd, signature(PING))).status).toBe(403);
  });

  it.each<[string, (body: string) => Record<string, string>]>([
    ['without a signature', () => ({})],
    ['of another secret', (body) => signature(body, now(), 'guess')],
    ['of another body', () => signature('{}')],
    ['of an hour ago', (body) => signature(body, String(Number(now()) - 3_600))],
    ['of no time', (body) => ({ ...signature(body), 'x-signed-at': 'now' })],
    ['that is no signature', () => ({ 'x-signed-at': now(), 'x-signature': 'ä' })],
  ])('refuses a body %s, and all of them alike', async (_what, headers) => {
    const response = await post(PING, headers(PING));
    expect(response.status).toBe(403);
    expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Forbidden"}}');
    expect(server.stdout()).not.toContain('guess');
  });

  it('refuses before it reads the body as JSON, and goes on with the connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (body: string, headers: Record<string, string>): Promise<readonly [number, string, boolean]> =>
      new Promise((resolve, reject) => {
        const options = {
          agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-06-18',
            ...headers,
          },
        };
        const posting = request(`${server.origin}/mcp`, options, (response) => {
          const { statusCode = 0 } = response;
          text(response).then((body) => resolve([statusCode, body, posting.reusedSocket]), reject);
        });
        posting.once('error', reject).end(body);
      });
    expect((await send('{not json', {}))[0]).toBe(403);
    const [status, , reused] = await send(PING, signature(PING));
    expect([status, reused]).toEqual([200, true]);
    agent.destroy();
  });
});
