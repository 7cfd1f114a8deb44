import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { confirm, McpBootError, McpError, McpServer, McpToolError, type McpServerOptions } from 'nestjs-mcp/server';
import { describeRevisions, McpTesting } from 'nestjs-mcp/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stderrLogger } from '../../src/assembly/stderr-logger.js';
import { call, callTool, exchange, legacy, modern, post } from '../e2e/nest-app.js';
import { RecordingLogger } from '../session/recording.js';

const ECHO = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

function optionsOf(more: Partial<McpServerOptions> = {}): McpServerOptions {
  return {
    server: { name: 'bare', version: '1.0.0' },
    allowedOrigins: ['https://app.example.com'],
    authenticate: 'none',
    sessions: 'stateless',
    logger: new RecordingLogger(),
    entries: [
      { kind: 'tool', name: 'echo', input: ECHO, handler: ({ text }) => text },
      { kind: 'tool', name: 'who', handler: (_args, { identity, identityKey }) => ({ identity, identityKey }) },
      { kind: 'tool', name: 'session', handler: (_args, context) => String(context.sessionId) },
      {
        kind: 'tool',
        name: 'fail',
        handler: () => {
          throw new McpToolError('no luck');
        },
      },
      { kind: 'resource', name: 'rules', uri: 'bare://rules', handler: () => 'silence' },
      { kind: 'template', name: 'page', uriTemplate: 'bare://page/{n}', handler: ({ n }) => `page ${String(n)}` },
      {
        kind: 'prompt',
        name: 'greet',
        input: { type: 'object', properties: { name: { type: 'string' } } },
        handler: ({ name }) => `Hello ${name}`,
      },
      { kind: 'completion', prompt: 'greet', argument: 'name', handler: (value, input) => [`${value}${input.value}`] },
    ],
    ...more,
  };
}

let server: Server | undefined;
let mcp: McpServer | undefined;

async function listening(
  more: Partial<McpServerOptions> = {},
): Promise<{ readonly url: string; readonly port: number }> {
  mcp = await McpServer.create(optionsOf(more));
  const handler = mcp.toNodeHandler();
  server = createServer(handler).on('checkContinue', handler.checkContinue);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, port };
}

afterEach(async () => {
  await mcp?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  [server, mcp] = [undefined, undefined];
});

async function faultsOf(options: unknown): Promise<readonly string[]> {
  const error: unknown = await McpServer.create(options as McpServerOptions).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof McpBootError ? error.faults.map(({ source, message }) => `${source}: ${message}`) : [];
}

describe('a server without an application over HTTP', () => {
  it('serves tools, resources, prompts and completions, in both eras', async () => {
    const { url } = await listening();
    expect(await callTool(url, 'echo', { text: 'hi' })).toBe('hi');
    expect(await callTool(url, 'fail')).toBe('no luck');
    expect(await (await modern(url, 'tools/call', { name: 'echo', arguments: { text: 'm' } })).text()).toContain('"m"');
    expect((await call(url, 'resources/read', { uri: 'bare://page/7' })).result).toMatchObject({
      contents: [{ text: 'page 7' }],
    });
    expect((await call(url, 'prompts/get', { name: 'greet', arguments: { name: 'Ada' } })).result).toMatchObject({
      messages: [{ content: { text: 'Hello Ada' } }],
    });
    const completing = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'a' } };
    expect((await call(url, 'completion/complete', completing)).result).toMatchObject({
      completion: { values: ['aa'] },
    });
  });

  it('refuses a foreign Origin or Host before it asks who is calling, and answers the preflight itself', async () => {
    let asked = 0;
    const { url, port } = await listening({ authenticate: () => (asked += 1) });
    expect((await post(url, legacy('ping'), { origin: 'https://evil.example' })).status).toBe(403);
    expect(
      (await exchange(port, 'POST /mcp HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 0\r\n\r\n')).text,
    ).toMatch(/^HTTP\/1\.1 403/);
    const origin = 'https://app.example.com';
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked).toBe(0);
    const answer = await post(url, legacy('ping'), { origin });
    expect([answer.status, answer.headers.get('access-control-allow-origin'), asked]).toEqual([200, origin, 1]);
  });

  it('knows the caller before it reads the body', async () => {
    const { url, port } = await listening({
      authenticate: async ({ headers }) => (headers.authorization === 'Bearer good' ? { sub: 'ada' } : undefined),
    });
    expect(await callTool(url, 'who', {}, { authorization: 'Bearer good' })).toBe(
      '{"identity":{"sub":"ada"},"identityKey":"ada"}',
    );
    const head =
      'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9999999\r\n';
    const refused = await exchange(port, `${head}\r\n{`);
    expect(refused.text).toMatch(/^HTTP\/1\.1 401/);
    expect(refused.text).toMatch(/www-authenticate: Bearer\r\n/i);
    expect(refused.text).toContain('"code":-32600');
    expect((await exchange(port, `${head}expect: 100-continue\r\n\r\n`)).text).toMatch(/^HTTP\/1\.1 401/);
  });

  it('says 100 Continue once the caller is known and the body is wanted', async () => {
    const { port } = await listening();
    const body = legacy('ping');
    const head = [
      'POST /mcp HTTP/1.1',
      'host: 127.0.0.1',
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue',
      'connection: close',
    ].join('\r\n');
    expect((await exchange(port, `${head}\r\n\r\n${body}`)).text).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/,
    );
  });

  it.each<[string, unknown, number, string | null]>([
    ['nobody', undefined, 401, 'Custom none'],
    ['false', false, 401, 'Custom none'],
    ['an empty text', '', 401, 'Custom none'],
    ['an error', new Error('bad token'), 401, 'Custom bad token'],
    ['an error with a challenge', Object.assign(new Error('x'), { challenge: 'Mine' }), 401, 'Mine'],
    ['an error with a status', Object.assign(new Error('x'), { status: 403 }), 403, null],
    ['a failure', Object.assign(new Error('x'), { status: 503 }), 500, null],
    ['no error at all', 'secret', 401, 'Custom none'],
    ['a challenge that is no header', Object.assign(new Error('x'), { challenge: 'a\nb' }), 401, null],
  ])('answers for %s', async (_what, found, status, challenge) => {
    const { url } = await listening({
      authenticate: () => {
        if (found instanceof Error || found === 'secret') throw found;
        return found;
      },
      challenge: (_request, error) => `Custom ${error instanceof Error ? error.message : 'none'}`,
    });
    const answer = await post(url, legacy('ping'));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([status, challenge]);
    expect(await answer.text()).not.toMatch(/bad token|secret/);
  });

  it('answers when a hook of the host breaks', async () => {
    const { url } = await listening({
      statelessSessionId: () => {
        throw new Error('broken');
      },
    });
    const answer = await post(url, legacy('ping'));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' } });
  });

  it('takes every hook as a function or an object', async () => {
    const told: string[] = [];
    const { url } = await listening({
      visibility: ({ key }) => key !== 'fail',
      gate: (_context, { name }) => (name === 'who' ? confirm('Sure?', 'ask again') : { kind: 'allow' }),
      rawBody: (_request, bytes) => !bytes.includes('forbidden'),
      observers: [{ onCall: ({ name }) => void told.push(name) }],
      sources: [{ entries: () => [{ kind: 'tool', name: 'extra', handler: () => 'from a source' }] }],
      dispatch: (name, _args, _context, by) => `${name} by ${String(by)}`,
      dispatchContext: 'hand',
      expose: { tools: ['echo', 'who', 'extra', 'central', 'session'] },
      statelessSessionId: () => 's-1',
      entries: [...optionsOf().entries, { kind: 'tool', name: 'central' }],
      server: () => ({ name: 'each', version: '1' }),
      core: (inner) => inner,
    });
    expect(await callTool(url, 'fail')).toContain('error -32602');
    expect(await callTool(url, 'who')).toContain('ask again');
    expect(await callTool(url, 'extra')).toBe('from a source');
    expect(await callTool(url, 'central')).toBe('central by hand');
    expect(await callTool(url, 'session')).toBe('s-1');
    expect((await post(url, legacy('ping', { forbidden: 1 }))).status).toBe(403);
    expect(told).toContain('central');
  });

  it('answers 503 once it was closed', async () => {
    const { url } = await listening();
    await mcp?.close();
    expect((await post(url, legacy('ping'))).status).toBe(503);
  });

  it('works behind a parser that read the body', async () => {
    mcp = await McpServer.create(optionsOf());
    const handler = mcp.toNodeHandler();
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        Object.assign(request, { body: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
        handler(request, response);
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await callTool(`http://127.0.0.1:${port}/`, 'echo', { text: 'parsed' })).toBe('parsed');
  });
});

describe('a server without an application over streams', () => {
  it('serves one client until it leaves', async () => {
    mcp = await McpServer.create(optionsOf());
    const [input, output] = [new PassThrough(), new PassThrough()];
    let heard = '';
    output.setEncoding('utf8').on('data', (text: string) => (heard += text));
    const { closed } = mcp.connect(input, output, { ordered: true });
    const clientInfo = { name: 'c', version: '1' };
    input.write(`${legacy('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }, 0)}\n`);
    input.write(`${legacy('tools/call', { name: 'echo', arguments: { text: 'hi' } }, 1)}\n`);
    input.end();
    await closed;
    expect(heard.split('\n')).toEqual([
      expect.stringContaining('"serverInfo"'),
      expect.stringContaining('"text":"hi"'),
      '',
    ]);
  });
});

describeRevisions(describe, 'a server without an application in memory', (revision) => {
  it('is tested like one with', async () => {
    mcp = await McpServer.create(optionsOf());
    const client = await McpTesting.connect(mcp, { revision, identity: 'ada' });
    expect(await client.callTool('echo', { text: 'hi' })).toMatchObject({ content: [{ text: 'hi' }] });
    expect((await client.readResource('bare://rules')).contents[0]?.text).toBe('silence');
    expect(await client.callTool('who')).toMatchObject({
      content: [{ text: '{"identity":"ada","identityKey":"ada"}' }],
    });
  });

  it('changes while it runs', async () => {
    mcp = await McpServer.create(optionsOf());
    const client = await McpTesting.connect(mcp, { revision });
    await mcp.catalog.add([{ kind: 'tool', name: 'new', handler: () => 'new' }]);
    expect(await client.callTool('new')).toMatchObject({ content: [{ text: 'new' }] });
    expect(mcp.catalog.remove('tool', 'new')).toBe(true);
    await expect(client.callTool('new')).rejects.toBeInstanceOf(McpError);
    expect(mcp.catalog.list().map(({ key }) => key)).toContain('echo');
    mcp.notifier.toolsChanged();
    if (revision !== '2026-07-28') expect(client.notifications).toHaveLength(3);
  });
});

describe('options of a server without an application', () => {
  it.each([[undefined], [null], [[]], ['x']])('must be an object, not %j', async (options) => {
    expect(await faultsOf(options)).toEqual(['McpServer.create: options must be an object']);
  });

  it('are judged together with the entries', async () => {
    const faults = await faultsOf({
      server: { name: 'x' },
      entries: [
        null,
        { kind: 'tool', name: 'a' },
        { kind: 'tool', name: 'bad name', handler: () => 1 },
        { kind: 'tool', name: 'b', input: { type: 'object', minimun: 1 }, handler: () => 1 },
      ],
      gaurds: 1,
    });
    expect(faults).toEqual([
      'McpServer.create: option "entries[0]" must be an object',
      'McpServer.create: option "authenticate" is required',
      expect.stringContaining('option "server.version" is required'),
      expect.stringContaining('option "gaurds" is not an option'),
      expect.stringContaining('option "allowedOrigins" is required'),
      'tool "a": handler must be a function, or the option dispatch must be there',
      expect.stringContaining('tool "b": input'),
      expect.stringContaining('tool "bad name"'),
    ]);
  });

  class Policy {
    isVisible(): boolean {
      return true;
    }
    decide(): void {}
    verify(): void {}
    onCall(): void {}
    entries(): [] {
      return [];
    }
  }

  it.each<[object, string]>([
    [{ authenticate: 'nobody' }, `option "authenticate" must be 'none' or a function`],
    [{ authenticate: {} }, `option "authenticate" must be 'none' or a function`],
    [{ challenge: 'Bearer' }, 'option "challenge" must be a function'],
    [{ logger: {} }, 'option "logger" must be an object with error(), warn(), info(), debug()'],
    [{ entries: {} }, 'option "entries" must be an array'],
    [{ guards: [] }, 'option "guards" is an option of McpModule: here it is "authenticate"'],
    [{ identity: () => 1 }, 'option "identity" is an option of McpModule: here it is "authenticate"'],
    [
      { skills: { directory: 'test/no-such-folder' } },
      expect.stringMatching(/^option "skills\.directory": /) as unknown as string,
    ],
    [{ visibility: Policy }, 'option "visibility" must be a function: there is nobody to make instances'],
    [{ gate: Policy }, 'option "gate" must be a function: there is nobody to make instances'],
    [{ rawBody: Policy }, 'option "rawBody" must be a function: there is nobody to make instances'],
    [{ observers: [Policy] }, 'option "observers[0]" must be an object: there is nobody to make instances'],
    [{ sources: [Policy] }, 'option "sources[0]" must be an object: there is nobody to make instances'],
    [{ core: () => 1 }, expect.stringMatching(/^option "core" must answer with/) as unknown as string],
    [
      { authenticate: () => 1, cache: { tools: { scope: 'public' } } },
      `option "cache.tools.scope" cannot be 'public' together with authenticate`,
    ],
  ])('are refused: %j', async (more, message) => {
    const faults = await faultsOf(optionsOf(more));
    expect(faults.map((fault) => fault.replace('McpServer.create: ', ''))).toEqual([message]);
  });

  it('log to stderr by default', () => {
    const written: string[] = [];
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    stderrLogger.warn('careful');
    stderrLogger.error('broken', new TypeError('why'));
    stderrLogger.error('plain');
    stderrLogger.error('odd', 'secret');
    stderrLogger.info('quiet');
    stderrLogger.debug('quiet');
    spy.mockRestore();
    expect(written).toEqual([
      '[Mcp] careful\n',
      expect.stringMatching(/^\[Mcp\] broken: TypeError: why\n {4}at /),
      '[Mcp] plain\n',
      '[Mcp] odd: a thrown string\n',
    ]);
  });
});

/** What a file imports when it runs. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export) (?!type )(?:[\w\s{},*]+ from )?'([^']+)';/gm)].map(
    ([, name = '']) => name,
  );
}

function reachable(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const name of importsOf(file)) {
    if (name.startsWith('.')) reachable(join(dirname(file), name.replace(/\.js$/, '.ts')), seen);
    else seen.add(name);
  }
  return seen;
}

describe('nestjs-mcp/server', () => {
  it('loads no part of Nest', () => {
    const packages = [...reachable('src/server.ts')].filter((name) => !name.startsWith('src/'));
    expect(packages.filter((name) => !name.startsWith('node:')).sort()).toEqual([
      'ajv',
      'ajv-formats',
      'ajv/dist/2020.js',
    ]);
  });
});
