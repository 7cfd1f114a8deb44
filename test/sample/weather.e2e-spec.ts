import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import {
  clientOf,
  freePort,
  listen,
  MODES,
  overHttp,
  overStdio,
  startSample,
  textOf,
  until,
  type Listening,
  type SampleProcess,
} from './sample-process.js';

async function askForWeather(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['current']);
  expect(textOf(await client.callTool({ name: 'current', arguments: { place: 'Berlin' } }))).toBe('Berlin: 21 °C');
  const unknown = await client.callTool({ name: 'current', arguments: { place: 'Atlantis' } });
  expect(unknown.isError).toBe(true);
  expect(textOf(unknown)).toContain('weather://places');
  const { contents } = await client.readResource({ uri: 'weather://places' });
  expect(contents).toMatchObject([{ text: 'Berlin\nLima\nOslo' }]);
}

describe('sample 01-weather', () => {
  describe('over HTTP', () => {
    let server: Listening;
    beforeAll(async () => {
      server = await listen('01-weather/main.js');
    });
    afterAll(() => server.stop());

    it.each(MODES)('tells a %s client the weather', async (mode) => {
      const client = await overHttp(clientOf(mode), `${server.origin}/mcp`);
      await askForWeather(client);
      await client.close();
    });
  });

  it.each(MODES)('tells a %s client the weather over stdio', async (mode) => {
    const client = await overStdio(clientOf(mode), '01-weather/stdio.js');
    await askForWeather(client);
    await client.close();
  });
});

describe('the demonstration of npm start', () => {
  let demo: SampleProcess | undefined;
  let squatter: Server | undefined;
  afterEach(async () => {
    await demo?.stop();
    squatter?.close();
    squatter = demo = undefined;
  });

  it('calls itself once, prints the answer and the lines to try, and ends with --once', async () => {
    const port = await freePort();
    demo = startSample('01-weather/demo.js', ['--once'], { PORT: String(port) });
    expect(await demo.ended).toBe(0);
    const printed = demo.stdout();
    const url = `http://127.0.0.1:${port}/mcp`;
    expect(printed).toContain(`An MCP server listens on ${url}`);
    expect(printed).toContain('Revision 2026-07-28, tools: current');
    expect(printed).toContain('answers: Berlin: 21 °C');
    expect(printed).toContain(`curl -i ${url}`);
    expect(printed).toContain('"method":"initialize"');
    expect(printed).toContain(`--cli ${url} --transport http`);
    expect(printed).toMatch(/"mcpServers"[^]*01-weather\/stdio\.js/);
    expect(demo.stderr()).toBe('');
  });

  it('prints lines that work when they are tried', async () => {
    const port = await freePort();
    demo = startSample('01-weather/demo.js', [], { PORT: String(port) });
    const running = demo;
    await until(running, () => running.stdout().includes('Serving until Ctrl-C.'));
    const lines = [...running.stdout().matchAll(/curl -i (\S+)((?: \\\n {2}-\w '[^']*')+)/g)];
    const answers = await Promise.all(
      lines.map(async ([, url = '', rest = '']) => {
        const [body = ''] = [...rest.matchAll(/-d '([^']*)'/g)].map(([, text]) => text);
        const headers = [...rest.matchAll(/-H '([^']*): ([^']*)'/g)].map(
          ([, name = '', value = '']): [string, string] => [name, value],
        );
        const response = await fetch(url, { method: 'POST', headers, body });
        return { status: response.status, body: await response.json() };
      }),
    );
    expect(answers).toMatchObject([
      { status: 200, body: { result: { content: [{ text: 'Oslo: 9 °C' }] } } },
      { status: 200, body: { result: { protocolVersion: '2025-11-25', serverInfo: { name: 'weather' } } } },
    ]);
  });

  it('takes another port when its own is taken', async () => {
    const port = await freePort();
    const other = (squatter = createServer());
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    demo = startSample('01-weather/demo.js', ['--once'], { PORT: String(port) });
    expect(await demo.ended).toBe(0);
    expect(demo.stdout()).not.toContain(`:${port}/`);
    expect(demo.stdout()).toContain('answers: Berlin: 21 °C');
  });
});
