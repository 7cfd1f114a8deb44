import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { clientOf, listen, MODES, overHttp, overStdio, textOf, type Listening, type Mode } from './sample-process.js';

/** A client whose user agrees to everything. */
function agreeing(mode: Mode): Client {
  const client = clientOf(mode, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { sure: true } }));
  return client;
}

const NOTE = {
  title: 'Milk',
  text: 'Buy two litres',
  tags: ['shopping', 'work'],
  reminder: { at: '2026-12-01T09:00:00Z', by: 'mail' },
};

async function write(client: Client, note: object = NOTE): Promise<Record<string, unknown>> {
  const { structuredContent } = await client.callTool({ name: 'create_note', arguments: { ...note } });
  return structuredContent as Record<string, unknown>;
}

/** What every client can do with notes, whatever connects it. */
async function workWithNotes(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['create_note', 'delete_note', 'search_notes']);
  expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['title', 'text'] });

  const { id, ...written } = await write(client);
  expect(written).toMatchObject(NOTE);
  const found = await client.callTool({ name: 'search_notes', arguments: { words: 'LITRES', limit: 1 } });
  expect(found.structuredContent).toMatchObject({ notes: [{ title: 'Milk' }] });

  const { contents } = await client.readResource({ uri: `notes://note/${String(id)}` });
  expect(contents).toMatchObject([{ mimeType: 'application/json', text: expect.stringContaining('two litres') }]);
  await expect(client.readResource({ uri: 'notes://note/999' })).rejects.toThrow('Resource not found');
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'notes://note/{id}' },
    argument: { name: 'id', value: String(id) },
  });
  expect(completion.values).toContain(String(id));

  const { messages } = await client.getPrompt({ name: 'summarise', arguments: { tag: 'shopping' } });
  expect(messages.map(({ content }) => content.type)).toEqual(expect.arrayContaining(['resource', 'text']));

  const deleted = await client.callTool({ name: 'delete_note', arguments: { id } });
  expect(textOf(deleted)).toBe('The note was deleted.');
  const gone = await client.callTool({ name: 'delete_note', arguments: { id } });
  expect(gone.isError).toBe(true);
}

describe('sample 02-notes', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen('02-notes/main.js');
  });
  afterAll(() => server.stop());
  const connected = (mode: Mode, headers?: Record<string, string>) =>
    overHttp(agreeing(mode), `${server.origin}/mcp`, headers);

  it.each(MODES)('works with a %s client over HTTP', async (mode) => {
    const client = await connected(mode);
    await workWithNotes(client);
    await client.close();
  });

  it.each(MODES)('works with a %s client over stdio', async (mode) => {
    const client = await overStdio(agreeing(mode), '02-notes/stdio.js');
    await workWithNotes(client);
    await client.close();
  });

  it('signs each note with the author of its own request', async () => {
    const clients = await Promise.all(['ada', 'grace'].map((author) => connected('modern', { 'x-author': author })));
    const notes = await Promise.all(clients.map((client) => write(client)));
    expect(notes.map(({ author }) => author)).toEqual(['ada', 'grace']);
    await Promise.all(clients.map((client) => client.close()));
  });

  it('names the rules that arguments of a DTO break, nested ones too', async () => {
    const client = await connected('modern');
    const refused = await client.callTool({
      name: 'create_note',
      arguments: { title: '', text: 'x', reminder: { at: '2026-12-01T09:00:00Z', by: 'pigeon' } },
    });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/title/);
    expect(textOf(refused)).toMatch(/reminder\.by/);
    expect(textOf(refused)).not.toContain('pigeon');
    await client.close();
  });

  it('finds notes by the path and query of a resource', async () => {
    const client = await connected('legacy', { 'x-author': 'zoe' });
    await write(client, { title: 'A', text: 'a', tags: ['red', 'green'] });
    await write(client, { title: 'B', text: 'b', tags: ['red'] });
    const titles = async (uri: string): Promise<unknown> => {
      const [content] = (await client.readResource({ uri })).contents;
      const text = content !== undefined && 'text' in content ? content.text : '';
      const { notes } = JSON.parse(text) as { notes: { title: string }[] };
      return notes.map(({ title }) => title);
    };
    expect(await titles('notes://tagged/red/green')).toEqual(['A']);
    expect(await titles('notes://tagged/red?author=zoe')).toEqual(['A', 'B']);
    expect(await titles('notes://tagged/red?author=nobody')).toEqual([]);
    await client.close();
  });

  it('completes an argument by what was filled in before', async () => {
    const client = await connected('modern');
    const styles = async (tag: string): Promise<readonly string[]> => {
      const ref = { type: 'ref/prompt' as const, name: 'summarise' };
      const argument = { name: 'style', value: '' };
      return (await client.complete({ ref, argument, context: { arguments: { tag } } })).completion.values;
    };
    expect(await styles('work')).toEqual(['short', 'formal']);
    expect(await styles('garden')).toEqual(['short', 'formal', 'cheerful']);
    await client.close();
  });

  it('serves the same notes over its HTTP routes', async () => {
    const headers = { 'content-type': 'application/json', 'x-author': 'rest' };
    const body = JSON.stringify({ title: 'From a form', text: 'plain HTTP' });
    const created = await fetch(`${server.origin}/notes`, { method: 'POST', headers, body });
    expect(await created.json()).toMatchObject({ title: 'From a form', author: 'rest' });
    const refused = await fetch(`${server.origin}/notes`, { method: 'POST', headers, body: '{"title":""}' });
    expect(refused.status).toBe(400);
    const client = await connected('modern');
    const found = await client.callTool({ name: 'search_notes', arguments: { words: 'plain HTTP' } });
    expect(found.structuredContent).toMatchObject({ total: 1, notes: [{ author: 'rest' }] });
    await client.close();
  });
});
