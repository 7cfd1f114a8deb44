import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { clientOf, listen, MODES, overHttp, overStdio, textOf, type Listening, type Mode } from './sample-process.js';

/** A client that can answer everything. */
function answering(mode: Mode): Client {
  const client = clientOf(mode, { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } });
  client.setRequestHandler('elicitation/create', ({ params }) =>
    'url' in params ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada', outside: true } },
  );
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Warm cups, warm people, always.' },
    model: 'test-model',
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/ada/menu', name: 'menu' }] }));
  return client;
}

async function talk(client: Client): Promise<void> {
  const seen: (string | undefined)[] = [];
  const copied = await client.callTool(
    { name: 'back_up', arguments: { books: 3 } },
    { onprogress: ({ message }) => seen.push(message) },
  );
  expect(textOf(copied)).toBe('3 books were copied.');
  expect(seen).toEqual(['Book 1', 'Book 2', 'Book 3']);

  // The second booking gets the next table: each call held exactly one, however often it was started.
  const tables: string[] = [];
  for (const guests of [2, 4]) {
    tables.push(textOf(await client.callTool({ name: 'book_table', arguments: { guests } })) ?? '');
  }
  const numbers = tables.map((text) => Number(/^Table (\d+) is booked for Ada, outside\.$/.exec(text)?.[1]));
  expect(numbers[1]).toBe((numbers[0] ?? Number.NaN) + 1);

  expect(textOf(await client.callTool({ name: 'pay_deposit' }))).toBe('The page was opened.');
  const slogan = await client.callTool({ name: 'slogan' });
  expect(slogan.structuredContent).toMatchObject({ slogan: { text: expect.any(String) }, model: 'test-model' });
  expect(textOf(await client.callTool({ name: 'workspaces' }))).toBe('menu');
}

describe('sample 10-context', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen('10-context/main.js');
  });
  afterAll(() => server.stop());

  it.each(MODES)('talks with a %s client over HTTP', async (mode) => {
    const client = await overHttp(answering(mode), `${server.origin}/mcp`);
    await talk(client);
    await client.close();
  });

  it.each(MODES)('talks with a %s client over stdio', async (mode) => {
    const client = await overStdio(answering(mode), '10-context/stdio.js');
    await talk(client);
    await client.close();
  });

  it('sends log messages to a client that wants them', async () => {
    const client = answering('legacy');
    const messages: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params));
    await overHttp(client, `${server.origin}/mcp`);
    await client.callTool({ name: 'back_up', arguments: { books: 1 } });
    expect(messages).toMatchObject([{ level: 'info', logger: 'backup', data: { copied: 1 } }]);
    await client.close();
  });

  it('stops when the client cancels', async () => {
    const client = await overHttp(answering('modern'), `${server.origin}/mcp`);
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'back_up', arguments: { books: 100 } },
      { signal: stop.signal, onprogress: () => stop.abort() },
    );
    await expect(call).rejects.toThrow();
    expect(textOf(await client.callTool({ name: 'back_up', arguments: { books: 1 } }))).toBe('1 books were copied.');
    await client.close();
  });

  it('tells a client that cannot be asked what it lacks', async () => {
    const modern = await overHttp(clientOf('modern'), `${server.origin}/mcp`);
    await expect(modern.callTool({ name: 'workspaces' })).rejects.toMatchObject({ code: -32021 });
    await modern.close();
  });

  it.each([
    ['modern', { revision: '2026-07-28', session: false }],
    ['legacy', { session: true }],
  ] as const)('knows about a %s call', async (mode, facts) => {
    const client = await overHttp(answering(mode), `${server.origin}/mcp`);
    const { structuredContent } = await client.callTool({ name: 'about_call' });
    expect(structuredContent).toMatchObject({
      ...facts,
      method: 'tools/call',
      client: 'sample-test',
      caller: 'anonymous',
    });
    await client.close();
  });
});
