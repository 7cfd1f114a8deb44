import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SessionChange, SessionRecord, SessionStore } from 'nestjs-mcp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JSON_HEADERS, PLATFORMS, start, type Running } from '../nest-app.js';
import { libraryModule } from './app/app.module.js';
import { firstText, initialize, openSession, type RawSession, type RpcMessage } from './raw-session.js';

const UNKNOWN = { 'mcp-session-id': '0b5a7b52-1d2e-4ea4-8e5c-000000000000' };

async function statuses(session: RawSession): Promise<number[]> {
  const all = await Promise.all([session.request('tools/list'), session.get(), session.delete()]);
  await Promise.all(all.map(async (response) => response.body?.cancel()));
  return all.map(({ status }) => status);
}

describe.each(PLATFORMS)('a session on %s', (platform) => {
  let running: Running;
  let url: string;

  beforeAll(async () => {
    running = await start(platform, libraryModule());
    url = running.url();
  });
  afterAll(() => running.app.close());

  it('is issued with the result of initialize, each with an id of its own', async () => {
    const [first, second] = await Promise.all([openSession(url), openSession(url)]);
    expect(first.id).toMatch(/^[\x21-\x7e]{16,256}$/);
    expect(second.id).not.toBe(first.id);
    expect(JSON.parse(await first.text('caller'))).toMatchObject({ revision: '2025-11-25', session: true });
  });

  it('is not issued with an error', async () => {
    const response = await initialize(url, { revision: 7 as unknown as string });
    expect(await response.json()).toMatchObject({ error: { code: -32602 } });
    expect(response.headers.has('mcp-session-id')).toBe(false);
  });

  it('must be named', async () => {
    const nameless = (await openSession(url)).without('mcp-session-id');
    expect(await statuses(nameless)).toEqual([400, 400, 400]);
    const refusal: unknown = await (await nameless.request('tools/list')).json();
    expect(refusal).toMatchObject({ id: 2, error: { code: -32600 } });
  });

  it('must exist', async () => {
    const session = await openSession(url);
    expect(await statuses(session.as(UNKNOWN))).toEqual([404, 404, 404]);
    expect(await (await session.as(UNKNOWN).request('tools/list')).json()).toMatchObject({
      id: 1,
      error: { code: -32600 },
    });
  });

  it('ends with DELETE', async () => {
    const session = await openSession(url);
    const ended = await session.delete();
    expect([ended.status, await ended.text()]).toEqual([204, '']);
    expect(await statuses(session)).toEqual([404, 404, 404]);
  });

  it('ends its GET stream with DELETE', async () => {
    const session = await openSession(url);
    const stream = await session.listen();
    await session.delete();
    expect(await stream.rest()).toHaveLength(1);
  });

  it('is unknown to everybody but the caller who opened it', async () => {
    const session = await openSession(url, { caller: 'ann' });
    expect(await statuses(session.as({ 'x-caller': 'bob' }))).toEqual([404, 404, 404]);
    expect(await statuses(session.without('x-caller'))).toEqual([404, 404, 404]);
    expect(JSON.parse(await session.text('caller'))).toMatchObject({ identity: 'ann' });
  });

  it('of nobody in particular is not that of somebody', async () => {
    const session = await openSession(url);
    expect(await statuses(session.as({ 'x-caller': 'ann' }))).toEqual([404, 404, 404]);
  });

  it('is opened once: a second handshake in it is refused, one with a dead id opens a new session', async () => {
    const session = await openSession(url);
    const again = await initialize(url, {}, { 'mcp-session-id': session.id });
    expect([again.status, await again.json()]).toMatchObject([400, { id: 1, error: { code: -32600 } }]);
    expect(again.headers.has('mcp-session-id')).toBe(false);
    await session.delete();
    const fresh = await initialize(url, {}, { 'mcp-session-id': session.id });
    expect(fresh.status).toBe(200);
    expect(fresh.headers.get('mcp-session-id')).not.toBe(session.id);
    await fresh.text();
  });

  it('never hears the answers of another: 400 interleaved calls over the same few connections', async () => {
    const callers = await Promise.all(['ann', 'bob'].map((caller) => openSession(url, { caller })));
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, number) => {
        // The ids of the two callers' requests are the same, and every third call has a stream.
        const _meta = number % 3 === 0 ? { progressToken: number >> 1 } : {};
        const params = { name: 'echo', arguments: { text: `${number}`, ms: number % 7 }, _meta };
        const body = JSON.stringify({ jsonrpc: '2.0', id: number >> 1, method: 'tools/call', params });
        return postOver(agent, url, { ...JSON_HEADERS, ...callers[number % 2]?.headers }, body);
      }),
    );
    agent.destroy();
    answers.forEach((answer, number) => {
      const [own, other] = number % 2 === 0 ? ['ann', 'bob'] : ['bob', 'ann'];
      expect(answer).toContain(`"id":${number >> 1},`);
      expect(answer).toContain(`"${own}: ${number}"`);
      expect(answer).not.toContain(`"${other}: `);
    });
  });
});

/** Posts over one of the agent's connections; answers with the whole body. */
function postOver(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const posting = request(url, { agent, method: 'POST', headers }, (response) => {
      text(response).then(resolve, reject);
    });
    posting.once('error', reject).end(body);
  });
}

/** What two instances share: a store as a host would write one over a database. */
class SharedStore implements SessionStore {
  readonly records = new Map<string, SessionRecord>();

  create(record: SessionRecord): Promise<boolean> {
    if (this.records.has(record.id)) return Promise.resolve(false);
    this.records.set(record.id, structuredClone(record));
    return Promise.resolve(true);
  }

  load(id: string): Promise<SessionRecord | undefined> {
    return Promise.resolve(structuredClone(this.records.get(id)));
  }

  touch(id: string): Promise<boolean> {
    return Promise.resolve(this.records.has(id));
  }

  change(id: string, change: SessionChange): Promise<void> {
    const record = this.records.get(id);
    if (record !== undefined) this.records.set(id, { ...record, ...('logLevel' in change ? change : {}) });
    return Promise.resolve();
  }

  destroy(id: string): Promise<boolean> {
    return Promise.resolve(this.records.delete(id));
  }
}

describe('two instances with one session store', () => {
  let instances: Running[];
  const store = new SharedStore();

  beforeAll(async () => {
    instances = await Promise.all(PLATFORMS.map((platform) => start(platform, libraryModule({ sessions: { store } }))));
  });
  afterAll(() => Promise.all(instances.map(({ app }) => app.close())));

  async function opened(caller: string): Promise<readonly [here: RawSession, there: RawSession]> {
    const [first, second] = instances.map(({ url }) => url());
    const capabilities = { elicitation: {} };
    const here = await openSession(first ?? '', { caller, capabilities });
    return [here, here.as({}, second)];
  }

  it('serve each other’s sessions, and know the client that opened them', async () => {
    const [here, there] = await opened('ann');
    const expected = { revision: '2025-11-25', client: 'raw', identity: 'ann', session: true };
    expect(JSON.parse(await here.text('caller'))).toEqual(expected);
    expect(JSON.parse(await there.text('caller'))).toEqual(expected);
  });

  it('keep a session from others on both', async () => {
    const [here, there] = await opened('ann');
    expect(await statuses(there.as({ 'x-caller': 'bob' }))).toEqual([404, 404, 404]);
    expect((await here.request('ping')).status).toBe(200);
  });

  it('agree on the log level', async () => {
    const [here, there] = await opened('ann');
    await (await here.request('logging/setLevel', { level: 'error' })).text();
    const quiet = await there.call('endings', {}, false);
    expect(quiet.headers.get('content-type')).toContain('application/json');
    await quiet.text();
    expect(store.records.get(here.id)).toMatchObject({ logLevel: 'error' });
  });

  it('ask the client over the stream of whichever serves the call', async () => {
    const [, there] = await opened('ann');
    const stream = await there.stream('ask', { timeoutMs: 5_000 });
    const question = await stream.message();
    await there.send({ id: question?.id, result: { action: 'accept', content: { name: 'Ann' } } });
    const answer: RpcMessage | undefined = await stream.message();
    expect(firstText(answer?.result)).toBe('Ann');
  });

  it('agree on the end', async () => {
    const [here, there] = await opened('ann');
    expect((await there.request('ping')).status).toBe(200);
    expect((await here.delete()).status).toBe(204);
    expect(await statuses(there)).toEqual([404, 404, 404]);
  });
});
