import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS, textOf, type Connected } from './official-clients.js';
import { PLACES, places } from './places.js';

const TABLE = PLACES.flatMap((place) => CLIENTS.map((kind) => ({ place, ...kind })));
const placeOf = places();

describe.each(TABLE)('$client, $revision, over $place', ({ client: version, place, revision, connect }) => {
  let client: Connected;

  beforeAll(async () => {
    client = await connect(placeOf(place));
  });
  afterAll(() => client.close());

  it('connects at this revision', async () => {
    expect(JSON.parse(textOf(await client.call({ name: 'caller' })))).toMatchObject({ revision, client: 'reader' });
    expect(client.getServerVersion()).toMatchObject({ name: 'library', version: '1.0.0' });
    expect(client.getInstructions()).toBe('Ask for a volume');
  });

  it('lists tools, resources, templates and prompts', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['converse', 'join', 'volume']));
    expect(tools.find(({ name }) => name === 'join')).toMatchObject({
      description: 'Joins two words',
      inputSchema: {
        type: 'object',
        properties: { left: { type: 'string' }, right: { type: 'string' } },
        required: ['left', 'right'],
      },
      annotations: { readOnlyHint: true },
    });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: 'library://rules', name: 'rules', mimeType: 'text/plain' }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'library://shelf/{topic}', name: 'shelf' }]);
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: 'plan', arguments: [{ name: 'topic', required: true }] }]);
  });

  it('calls a tool', async () => {
    const answer = await client.call({ name: 'join', arguments: { left: 'foot', right: 'note' } });
    expect(answer.content).toMatchObject([{ type: 'text', text: 'footnote' }]);
    expect(answer.isError ?? false).toBe(false);
  });

  it('gets a structured result where the revision has them, and its text everywhere', async () => {
    // Both clients hold a structured result against the listed schema.
    await client.listTools();
    const answer = await client.call({ name: 'volume', arguments: { number: 3 } });
    const volume = { title: 'Volume 3', pages: 300 };
    expect(JSON.parse(textOf(answer))).toEqual(volume);
    expect(answer.structuredContent).toEqual(revision === '2025-03-26' ? undefined : volume);
  });

  it('reads what is wrong with an argument in the result', async () => {
    const answer = await client.call({ name: 'join', arguments: { left: 'foot' } });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('right');
  });

  it('is told of an unknown tool by an error', async () => {
    await expect(client.call({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  it('reads a resource, and one of a template', async () => {
    const rules = await client.readResource({ uri: 'library://rules' });
    expect(rules.contents).toEqual([{ uri: 'library://rules', mimeType: 'text/plain', text: 'Silence, please' }]);
    const shelf = await client.readResource({ uri: 'library://shelf/tides' });
    expect(shelf.contents).toEqual([
      { uri: 'library://shelf/tides', mimeType: 'application/json', text: '{"topic":"tides","books":5}' },
    ]);
  });

  it('is told of an unknown resource by an error', async () => {
    // The v2 client makes one error of what the revisions say differently.
    const code = version === 'v1' ? -32002 : -32602;
    await expect(client.readResource({ uri: 'library://nowhere' })).rejects.toMatchObject({ code });
  });

  it('gets a prompt', async () => {
    const { messages } = await client.getPrompt({ name: 'plan', arguments: { topic: 'trains' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Plan a month of trains' } }]);
  });

  it('completes arguments of prompts and variables of templates', async () => {
    const prompt = { type: 'ref/prompt', name: 'plan' } as const;
    const ofPrompt = await client.complete({ ref: prompt, argument: { name: 'topic', value: 'ti' } });
    expect(ofPrompt.completion.values).toEqual(['tides', 'timber']);
    const template = { type: 'ref/resource', uri: 'library://shelf/{topic}' } as const;
    const ofTemplate = await client.complete({ ref: template, argument: { name: 'topic', value: 'ns' } });
    expect(ofTemplate.completion.values).toEqual(['trains']);
  });

  it('pings, where the revision has a ping', async () => {
    if (revision === '2026-07-28') await expect(client.ping()).rejects.toThrow();
    else expect(await client.ping()).toEqual({});
  });
});
