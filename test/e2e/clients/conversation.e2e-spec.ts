import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CLIENTS, textOf, type Answers, type Connected, type Progress } from './official-clients.js';
import { PLACES, places } from './places.js';

const TABLE = PLACES.flatMap((place) =>
  CLIENTS.filter(({ client }) => client !== 'v2 auto').map((kind) => ({ place, ...kind })),
);
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const RULES = 'library://rules';
const placeOf = places();

/** What is asked in each revision, by method and, where it has one, mode. */
function expectedQuestions(revision: string): string[] {
  const form = revision === '2025-03-26' ? [] : ['elicitation/create'];
  const page = revision === '2025-11-25' || revision === '2026-07-28' ? ['elicitation/create url'] : [];
  return [...form, ...page, 'sampling/createMessage', 'roots/list'];
}

function questionsOf(client: Connected): string[] {
  return client.asked.map(({ method, params }) =>
    (params as { mode?: string } | undefined)?.mode === 'url' ? `${method} url` : method,
  );
}

describe.each(TABLE)('$client, $revision, over $place', ({ client: version, place, revision, connect }) => {
  const label = `${version} ${revision} ${place}`;
  const modern = revision === '2026-07-28';
  const answers: { -readonly [key in keyof Answers]: Answers[key] } = {};
  let client: Connected;

  beforeAll(async () => {
    client = await connect(placeOf(place), answers);
  });
  afterAll(() => client.close());

  /** Has `converse` called at a log level: one of the session, or of this request alone. */
  async function converse(level: 'debug' | 'warning', onprogress?: (progress: Progress) => void): Promise<unknown> {
    client.asked.length = 0;
    client.heard.length = 0;
    if (!modern) await client.setLoggingLevel(level);
    const params = { name: 'converse', arguments: { label }, ...(modern ? { _meta: { [LOG_LEVEL]: level } } : {}) };
    const answer = await client.call(params, onprogress === undefined ? {} : { onprogress });
    expect(answer.isError ?? false, textOf(answer)).toBe(false);
    return JSON.parse(textOf(answer));
  }

  it('answers forms, pages, samples and roots of one handler', async () => {
    const result = await converse('warning');
    expect(result).toMatchObject({
      form:
        revision === '2025-03-26'
          ? 'Protocol revision 2025-03-26 has no forms'
          : { action: 'accept', content: { name: 'Ann' } },
      page: revision < '2025-11-25' ? `Protocol revision ${revision} has no URL elicitation` : { action: 'accept' },
      sample: { type: 'text', text: 'A haiku' },
      roots: [{ uri: 'file:///books', name: 'books' }],
    });
    expect(questionsOf(client)).toEqual(expectedQuestions(revision));
  });

  it('has a side effect happen once, however often the handler is replayed', async () => {
    const first = (await converse('warning')) as { ticket: number; tickets: number };
    const second = (await converse('warning')) as { ticket: number; tickets: number };
    expect(second.ticket).toBe(first.ticket + 1);
    expect(second.tickets).toBe(second.ticket);
  });

  it('may decline and cancel', async () => {
    answers.form = { action: 'decline' };
    answers.page = { action: 'cancel' };
    const result = (await converse('warning')) as { form: unknown; page: unknown };
    delete answers.form;
    delete answers.page;
    if (revision !== '2025-03-26') expect(result.form).toEqual({ action: 'decline' });
    if (revision >= '2025-11-25') expect(result.page).toEqual({ action: 'cancel' });
    expect(questionsOf(client)).toEqual(expectedQuestions(revision));
  });

  it('sees the progress of the call', async () => {
    const progress: Progress[] = [];
    await converse('warning', (each) => {
      // The v2 client adds what it does itself between the passes of a replayed call.
      if (each.message !== label) return;
      progress.push(each);
      void client.call({ name: 'seen', arguments: { label } });
    });
    const expected = (done: number): Progress => ({ progress: done, total: 3, message: label });
    // Forms, pages, samples with roots: each is a pass of its own, whose progress begins anew.
    const passes = modern ? [1, 1, 1] : [];
    expect(progress).toEqual([...passes, 1, 2, 3].map(expected));
  });

  it('reads the log at the level it asks for', async () => {
    await converse('warning');
    const levels = (): unknown[] => [...new Set(client.heard.map(({ params }) => (params as { level: string }).level))];
    expect(client.heard.every(({ method }) => method === 'notifications/message')).toBe(true);
    expect(client.heard.map(({ params }) => params)).toContainEqual(
      expect.objectContaining({ level: 'warning', logger: 'desk', data: { stage: 'asking' } }),
    );
    expect(levels()).toEqual(['warning', 'error']);
    await converse('debug');
    expect(levels()).toEqual(['debug', 'warning', 'error']);
  });

  it('cancels a call', async () => {
    const abort = new AbortController();
    const call = client.call(
      { name: 'wait', arguments: { label } },
      { signal: abort.signal, onprogress: () => abort.abort('no longer needed') },
    );
    await expect(call).rejects.toThrow();
    await vi.waitFor(async () => {
      expect(textOf(await client.call({ name: 'endings' }))).toContain(`${label}: CallCancelled`);
    });
  });

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
