import { connect } from 'node:net';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterEach, describe, expect, it } from 'vitest';
import {
  clientOf,
  freePort,
  MODES,
  overHttp,
  overStdio,
  startSample,
  textOf,
  until,
  type SampleProcess,
} from './sample-process.js';

let server: SampleProcess | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** Starts the sample and reads the URL of the endpoint from what it prints. */
async function serve(...args: readonly string[]): Promise<{ readonly url: string; readonly origin: string }> {
  const port = await freePort();
  const started = (server = startSample('conformance/main.js', ['--port', String(port), ...args]));
  await until(started, () => /^listening on \S+\n/m.test(started.stdout()));
  const [, url = ''] = /^listening on (\S+)/m.exec(started.stdout()) ?? [];
  return { url, origin: `http://127.0.0.1:${port}` };
}

function initialize(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}

const ARRANGEMENTS = [[], ['--nest', 'prefix'], ['--nest', 'wrap,validation', '--nest', 'filter']];

describe.each(['express', 'fastify'])('sample conformance on %s', (platform) => {
  it.each(ARRANGEMENTS)('serves both eras (%s %s %s %s)', async (...nest) => {
    const { url, origin } = await serve('--platform', platform, ...nest);
    expect(url).toBe(nest.includes('prefix') ? `${origin}/api/mcp` : `${origin}/mcp`);
    for (const mode of MODES) {
      const client = await overHttp(clientOf(mode), url);
      expect(textOf(await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } }))).toBe('5');
      const { contents } = await client.readResource({ uri: 'user://J%C3%BCrgen' });
      expect(contents).toMatchObject([{ text: 'User Jürgen' }]);
      await client.close();
    }
  });

  it('asks for its token, and publishes where tokens come from', async () => {
    const { url, origin } = await serve('--platform', platform, '--auth', 'secret', '--nest', 'prefix');
    const anonymous = await initialize(url);
    expect(anonymous.status).toBe(401);
    const challenge = anonymous.headers.get('www-authenticate') ?? '';
    expect(challenge).not.toContain('error=');
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
    expect(metadata).toBe(`${wellKnown}/api/mcp`);
    for (const document of [metadata, wellKnown, `${wellKnown}/mcp`]) {
      expect(await (await fetch(document)).json()).toMatchObject({ resource: url });
    }
    const wrong = await initialize(url, { authorization: 'Bearer guess' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const client = await overHttp(clientOf('modern'), url, { authorization: 'Bearer secret' });
    expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'in' } }))).toBe('in');
    await client.close();
  });
});

describe('sample conformance', () => {
  it('lists each kind in one page, and first what works without arguments', async () => {
    const { url } = await serve();
    const client = await overHttp(clientOf('modern'), url);
    const { tools, nextCursor } = await client.listTools();
    expect(nextCursor).toBeUndefined();
    expect(tools.length).toBeGreaterThan(50);
    expect(tools.filter(({ description }) => description === undefined)).toEqual([]);
    const first = await client.callTool({ name: tools[0]?.name ?? '' });
    expect(first.isError ?? false).toBe(false);
    const { resources } = await client.listResources();
    expect(resources[0]?.uri).toBe('about://first');
    expect((await client.readResource({ uri: 'about://first' })).contents).toHaveLength(1);
    await client.close();
  });

  it('issues sessions only when it is told to', async () => {
    const stateful = await serve('--sessions', 'memory');
    expect((await initialize(stateful.url)).headers.get('mcp-session-id')).not.toBeNull();
    await server?.stop();
    const stateless = await serve('--sessions', 'stateless');
    expect((await initialize(stateless.url)).headers.get('mcp-session-id')).toBeNull();
  });

  it.each(['express', 'fastify'])(
    'ends at once on %s although a client keeps a connection that says nothing',
    async (platform) => {
      const { origin } = await serve('--platform', platform);
      const silent = connect(Number(new URL(origin).port), '127.0.0.1');
      silent.on('error', () => undefined);
      await new Promise((resolve) => silent.once('connect', resolve));
      const asked = Date.now();
      await server?.stop();
      expect(Date.now() - asked).toBeLessThan(8_000);
      silent.destroy();
    },
  );

  it('allows its own origins and those it is told', async () => {
    const { url, origin } = await serve('--origin', 'http://app.example', '--origin', 'http://two.example');
    const statuses = async (...origins: readonly string[]): Promise<readonly number[]> =>
      Promise.all(origins.map(async (value) => (await initialize(url, { origin: value })).status));
    const own = [origin, origin.replace('127.0.0.1', 'localhost')];
    expect(await statuses(...own, 'http://app.example', 'http://two.example')).toEqual([200, 200, 200, 200]);
    expect(await statuses('http://evil.example')).toEqual([403]);
  });

  it.each(MODES)('keeps its pipe clean for a %s client, whatever a tool prints', async (mode) => {
    const client = await overStdio(clientOf(mode), 'conformance/main.js', ['--stdio']);
    expect(textOf(await client.callTool({ name: 'fx_console' }))).toBe('ok');
    expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'alive' } }))).toBe('alive');
    await client.close();
  });

  it('offers a skill with a folder in it over stdio', async () => {
    const client = await overStdio(clientOf('modern'), 'conformance/main.js', ['--stdio']);
    const skills = new SkillsClient(client);
    const [first] = (await skills.list()).skills;
    const root = first?.uri.replace(/\/SKILL\.md$/, '') ?? '';
    const { resources } = await skills.readDirectory(root);
    expect(resources.map(({ mimeType }) => mimeType)).toContain('inode/directory');
    if (first !== undefined) expect(await skills.read(first)).toMatchObject({ verified: true });
    await client.close();
  });

  it.each([
    ['--color', 'red'],
    ['--port', '70000'],
    ['--port', 'http'],
    ['--platform', 'koa'],
    ['--sessions', 'redis'],
    ['--nest', 'prefix,strange'],
    ['--auth='],
    ['serve'],
  ])('refuses a command line it does not understand (%s %s)', async (...args) => {
    const refused = startSample('conformance/main.js', args);
    expect(await refused.ended).toBe(2);
    expect(refused.stderr()).toContain('usage: ');
    expect(refused.stdout()).toBe('');
  });
});
