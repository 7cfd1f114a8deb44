import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { built, listen, type Listening } from './sample-process.js';

/** The first official client, which knows handshake revisions alone; its user agrees to everything. */
async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'first', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { sure: true } }));
  await client.connect(transport);
  return client;
}

const overStdio = (file: string): Promise<Client> =>
  connected(new StdioClientTransport({ command: process.execPath, args: [built(file)], stderr: 'ignore' }));

async function overHttp(url: string, headers: Record<string, string> = {}): Promise<Client> {
  // Its transport declares `sessionId` in a way that exactOptionalPropertyTypes alone would accept.
  return connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport);
}

async function askForWeather(client: Client): Promise<void> {
  const result = await client.callTool({ name: 'current', arguments: { place: 'Berlin' } });
  expect(result.content).toMatchObject([{ type: 'text', text: 'Berlin: 21 °C' }]);
  const { contents } = await client.readResource({ uri: 'weather://places' });
  expect(contents).toMatchObject([{ text: 'Berlin\nLima\nOslo' }]);
}

async function writeAndDelete(client: Client): Promise<void> {
  const created = await client.callTool({ name: 'create_note', arguments: { title: 'A', text: 'b' } });
  const { id } = created.structuredContent as { id: number };
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['summarise']);
  const deleted = await client.callTool({ name: 'delete_note', arguments: { id } });
  expect(deleted.content).toMatchObject([{ text: 'The note was deleted.' }]);
}

describe('the first official client', () => {
  const servers = new Map<string, Listening>();
  beforeAll(async () => {
    for (const name of ['01-weather', '02-notes', '03-protected']) servers.set(name, await listen(`${name}/main.js`));
  });
  afterAll(() => Promise.all([...servers.values()].map((server) => server.stop())));
  const url = (name: string): string => `${servers.get(name)?.origin ?? ''}/mcp`;

  it.each([
    ['HTTP', () => overHttp(url('01-weather'))],
    ['stdio', () => overStdio('01-weather/stdio.js')],
  ])('asks 01-weather over %s', async (_transport, connect) => {
    const client = await connect();
    await askForWeather(client);
    await client.close();
  });

  it.each([
    ['HTTP', () => overHttp(url('02-notes'))],
    ['stdio', () => overStdio('02-notes/stdio.js')],
  ])('works with 02-notes over %s', async (_transport, connect) => {
    const client = await connect();
    await writeAndDelete(client);
    await client.close();
  });

  it('is let into 03-protected with a token alone', async () => {
    await expect(overHttp(url('03-protected'))).rejects.toThrow();
    const client = await overHttp(url('03-protected'), { authorization: 'Bearer reader-token' });
    expect((await client.callTool({ name: 'whoami' })).content).toMatchObject([{ text: 'rita' }]);
    await client.close();
  });
});
