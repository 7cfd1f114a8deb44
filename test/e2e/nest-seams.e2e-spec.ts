import { PassThrough } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { McpTool, type McpContext, type McpModuleOptions } from 'nestjs-mcp';
import { describe, expect, it } from 'vitest';
import { serveOver } from '../../src/mcp.stdio.js';
import { call, callTool, exchange, legacy, modern, PLATFORMS, post, start } from './nest-app.js';
import { hostModule } from './nest-fixture.js';

Logger.overrideLogger(false);

const passThrough: McpModuleOptions['core'] = (inner) => ({
  revisions: inner.revisions,
  get parameterHeaders() {
    return inner.parameterHeaders;
  },
  handle: (message, from) => inner.handle(message, from),
  notify: (message, from) => inner.notify(message, from),
  mirrored: (message, from) => inner.mirrored(message, from),
});

@Injectable()
class Region {
  @McpTool({ input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } })
  where({ region }: { region?: string }): string {
    return region ?? 'nowhere';
  }

  @McpTool()
  session(_args: unknown, context: McpContext): string {
    return String(context.sessionId);
  }
}

const INITIALIZE = legacy('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
});
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN_CALL = legacy('tools/call', { name: 'where', arguments: { region: 'eu' }, _meta: META });

function request(body: string, headers: readonly string[] = []): string {
  return [
    'POST /mcp HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
}

const MODERN_HEADERS = ['mcp-protocol-version: 2026-07-28', 'mcp-method: tools/call', 'mcp-name: where'];
const EXCHANGES: readonly (readonly [string, string])[] = [
  ['initialize', request(INITIALIZE)],
  ['a list', request(legacy('tools/list'), ['mcp-protocol-version: 2025-06-18'])],
  ['a modern call', request(MODERN_CALL, [...MODERN_HEADERS, 'mcp-param-region: eu'])],
  ['a modern call whose header differs', request(MODERN_CALL, [...MODERN_HEADERS, 'mcp-param-region: us'])],
  ['a notification', request('{"jsonrpc":"2.0","method":"notifications/initialized"}')],
  ['an unknown method', request(legacy('no/such'))],
  ['no JSON', request('{')],
  [
    'a preflight',
    'OPTIONS /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: https://a.example\r\naccess-control-request-method: POST\r\nconnection: close\r\n\r\n',
  ],
];

const undated = (text: string): string => text.replace(/^date:.*\r\n/im, '');

async function answers(core: McpModuleOptions['core']): Promise<readonly string[]> {
  const options = { allowedOrigins: ['https://a.example'], ...(core === undefined ? {} : { core }) };
  const { app, port } = await start('express', hostModule({ options, providers: [Region] }));
  const texts: string[] = [];
  for (const [, text] of EXCHANGES) texts.push(undated((await exchange(port, text)).text));
  await app.close();
  return texts;
}

async function lines(core: McpModuleOptions['core']): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  let heard = '';
  output.setEncoding('utf8').on('data', (text: string) => (heard += text));
  const options = core === undefined ? {} : { core };
  const { closed } = await serveOver(hostModule({ options, providers: [Region] }), { input, output, ordered: true });
  for (const text of [INITIALIZE, legacy('tools/list', {}, 2), MODERN_CALL.replace('"id":1', '"id":3'), '{']) {
    input.write(`${text}\n`);
  }
  input.end();
  await closed;
  return heard;
}

describe('a wrapper around the core that hands everything on', () => {
  it('changes no byte over HTTP', async () => {
    const [plain, wrapped] = [await answers(undefined), await answers(passThrough)];
    expect(plain).toHaveLength(EXCHANGES.length);
    expect(plain.every((text) => text.startsWith('HTTP/1.1 '))).toBe(true);
    expect(plain.at(-1)).toContain('Mcp-Param-Region');
    expect(wrapped).toEqual(plain);
  });

  it('changes no byte over stdio', async () => {
    const plain = await lines(undefined);
    expect(plain.trimEnd().split('\n')).toHaveLength(4);
    expect(await lines(passThrough)).toBe(plain);
  });
});

describe.each(PLATFORMS)('statelessSessionId (%s)', (platform) => {
  it('is the session id of handlers, in every era, and is never issued', async () => {
    const statelessSessionId = (asked: object): string | undefined =>
      (asked as { headers: Record<string, string | undefined> }).headers['x-conversation'];
    const module = hostModule({ options: { statelessSessionId }, providers: [Region] });
    const { app, url } = await start(platform, module);
    const headers = { 'x-conversation': 'c-7' };
    expect(await callTool(url(), 'session', {}, headers)).toBe('c-7');
    expect(await callTool(url(), 'session')).toBe('undefined');
    const answer = await post(url(), INITIALIZE, headers);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(await (await modern(url(), 'tools/call', { name: 'session' })).text()).toContain('undefined');
    await app.close();
  });

  it('that answers with something else is a failure without detail', async () => {
    const statelessSessionId = (): string => 7 as unknown as string;
    const { app, url } = await start(platform, hostModule({ options: { statelessSessionId }, providers: [Region] }));
    const { error } = await call(url(), 'tools/list');
    expect(error).toEqual({ code: -32603, message: 'Internal error' });
    await app.close();
  });
});
