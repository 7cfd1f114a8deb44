import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CLIENTS, textOf, type Connected } from './official-clients.js';
import { PLACES, places } from './places.js';

const TABLE = PLACES.flatMap((place) =>
  CLIENTS.filter(({ client }) => client !== 'v2 auto').map((kind) => ({ place, ...kind })),
);
const RULES = 'library://rules';
const placeOf = places();

describe.each(TABLE)('$client, $revision, over $place', ({ client: version, place, revision, connect }) => {
  const modern = revision === '2026-07-28';
  let client: Connected;

  beforeAll(async () => {
    client = await connect(placeOf(place));
  });
  afterAll(() => client.close());

  /** Opens whatever changes are told on in this era; answers with the function that ends it. */
  async function listen(): Promise<() => Promise<unknown>> {
    client.heard.length = 0;
    if (client.v2 !== undefined && modern) {
      const subscription = await client.v2.listen({
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: [RULES],
      });
      return () => subscription.close();
    }
    if (place !== 'stdio') await client.listening;
    await client.subscribeResource({ uri: RULES });
    return () => client.unsubscribeResource({ uri: RULES });
  }

  const methods = (): string[] => client.heard.map(({ method }) => method);

  it('hears of a tool added at run time, and finds it', async () => {
    const stop = await listen();
    const name = `grown-${version}-${revision}`.replaceAll(/[^a-z0-9-]/g, '-');
    await client.call({ name: 'grow', arguments: { name } });
    await vi.waitFor(() => expect(methods()).toEqual(['notifications/tools/list_changed']));
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain(name);
    expect(textOf(await client.call({ name }))).toBe(`${name} is here`);
    await stop();
  });

  it('hears of changes that the host announces', async () => {
    const stop = await listen();
    await client.call({ name: 'announce' });
    await vi.waitFor(() =>
      expect(methods()).toEqual(['notifications/prompts/list_changed', 'notifications/resources/list_changed']),
    );
    await stop();
  });

  it('hears of updates of what it subscribed to, until it does not want to', async () => {
    const stop = await listen();
    await client.call({ name: 'update', arguments: { uri: 'library://shelf/tides' } });
    await client.call({ name: 'update', arguments: { uri: RULES } });
    await vi.waitFor(() =>
      expect(client.heard).toMatchObject([{ method: 'notifications/resources/updated', params: { uri: RULES } }]),
    );
    await stop();
    await client.call({ name: 'update', arguments: { uri: RULES } });
    // What would have been told of the update would have come before what is told of this.
    const again = await listen();
    await client.call({ name: 'announce' });
    await vi.waitFor(() => expect(methods()).toContain('notifications/resources/list_changed'));
    expect(methods()).not.toContain('notifications/resources/updated');
    await again();
  });
});

describe.each(['express', 'fastify'] as const)('several sessions over %s', (place) => {
  it('hear of a change, each once', async () => {
    const handshake = CLIENTS.filter(({ revision }) => revision !== '2026-07-28');
    const clients = await Promise.all(handshake.map((kind) => kind.connect(placeOf(place))));
    await Promise.all(clients.map(({ listening }) => listening));
    await clients[0]?.call({ name: 'announce' });
    for (const { heard } of clients) await vi.waitFor(() => expect(heard).toHaveLength(2));
    await Promise.all(clients.map((client) => client.close()));
  });
});
