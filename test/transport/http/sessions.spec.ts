import { afterEach, describe, expect, it } from 'vitest';
import { McpToolError } from '../../../src/protocol/errors.js';
import { tool } from '../../protocol/core-fixture.js';
import { legacy, modern, RawConnection, serveEndpoint, type EndpointFixture } from './endpoint-fixture.js';

let fixture: EndpointFixture;

afterEach(async () => {
  await fixture.close();
});

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

interface Event {
  readonly id?: string;
  readonly retry?: number;
  readonly message?: Message;
}

/** Reads the events of an answer one by one. */
class Events {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #buffer = '';

  constructor(answer: Response) {
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    if (answer.body === null) throw new Error('no body');
    this.#reader = answer.body.getReader();
  }

  /** Undefined at the end of the stream. */
  async next(): Promise<Event | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end >= 0) {
        const lines = this.#buffer.slice(0, end).split('\n');
        this.#buffer = this.#buffer.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const [id, retry, data] = [field('id'), field('retry'), field('data')];
        return {
          ...(id === undefined ? {} : { id }),
          ...(retry === undefined ? {} : { retry: Number(retry) }),
          ...(data === undefined || data === '' ? {} : { message: JSON.parse(data) as Message }),
        };
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#buffer += Buffer.from(value).toString();
    }
  }

  /** The next event that holds a message. */
  async message(): Promise<Message | undefined> {
    for (;;) {
      const event = await this.next();
      if (event === undefined || event.message !== undefined) return event?.message;
    }
  }

  async leave(): Promise<void> {
    await this.#reader.cancel();
  }
}

const echo = tool('echo', (args) => (args as { text: string }).text);

class Client {
  session = '';

  constructor(
    private readonly caller?: string,
    private readonly version = '2025-11-25',
  ) {}

  headers(more: Record<string, string> = {}): Record<string, string> {
    return {
      ...legacy('x').headers,
      'mcp-protocol-version': this.version,
      ...(this.session === '' ? {} : { 'mcp-session-id': this.session }),
      ...(this.caller === undefined ? {} : { 'x-caller': this.caller }),
      ...more,
    };
  }

  send(body: string, more: Record<string, string> = {}): Promise<Response> {
    return fetch(fixture.url, { method: 'POST', body, headers: this.headers(more) });
  }

  call(method: string, params: Record<string, unknown> = {}, id: unknown = 1): Promise<Response> {
    return this.send(legacy(method, params, id).body);
  }

  async initialize(capabilities: object = {}): Promise<this> {
    const answer = await this.call('initialize', {
      protocolVersion: this.version,
      capabilities,
      clientInfo: { name: 'client', version: '1' },
    });
    expect(answer.status).toBe(200);
    const session = answer.headers.get('mcp-session-id');
    expect(session).toMatch(/^[\x21-\x7e]+$/);
    this.session = session ?? '';
    return this;
  }

  async listen(more: Record<string, string> = {}): Promise<Events> {
    return new Events(await fetch(fixture.url, { headers: this.headers({ accept: 'text/event-stream', ...more }) }));
  }

  status(method: 'GET' | 'DELETE', more: Record<string, string> = {}): Promise<number> {
    return fetch(fixture.url, { method, headers: this.headers(more) }).then(({ status }) => status);
  }
}

async function serve(...definitions: Parameters<typeof serveEndpoint>[0]): Promise<void> {
  fixture = await serveEndpoint([echo, ...definitions], { sessions: true });
}

const codeOf = async (answer: Response): Promise<[number, number | undefined]> => [
  answer.status,
  ((await answer.json()) as Message).error?.code,
];

describe('a session', () => {
  it('is opened by initialize, required afterwards, and ended by DELETE', async () => {
    await serve();
    const client = await new Client().initialize();
    expect((await client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202);
    const answer = await client.call('tools/call', { name: 'echo', arguments: { text: 'hi' } });
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(await answer.json()).toMatchObject({ result: { content: [{ text: 'hi' }] } });
    expect(await codeOf(await new Client().call('tools/list'))).toEqual([400, -32600]);
    const stranger = new Client();
    stranger.session = 'unknown';
    expect(await codeOf(await stranger.call('tools/list'))).toEqual([404, -32600]);
    expect(await client.status('DELETE')).toBe(204);
    expect(await codeOf(await client.call('tools/list'))).toEqual([404, -32600]);
    expect(await client.status('DELETE')).toBe(404);
  });

  it('belongs to the caller who opened it', async () => {
    await serve();
    const alice = await new Client('alice').initialize();
    const bob = new Client('bob');
    bob.session = alice.session;
    expect((await bob.call('tools/list')).status).toBe(404);
    expect(await bob.status('DELETE')).toBe(404);
    expect(await bob.status('GET', { accept: 'text/event-stream' })).toBe(404);
    expect((await alice.call('tools/list')).status).toBe(200);
  });

  it('is opened anew over an id that is dead, and is initialized once', async () => {
    await serve();
    const client = new Client();
    client.session = 'dead';
    await client.initialize();
    expect(client.session).not.toBe('dead');
    expect(await codeOf(await client.call('initialize', { protocolVersion: '2025-11-25' }, 'again'))).toEqual([
      400, -32600,
    ]);
  });

  it('has the version that was negotiated, whatever the header says later', async () => {
    await serve();
    const client = await new Client(undefined, '2025-03-26').initialize();
    expect((await client.send(`[${legacy('ping').body}]`, { 'mcp-protocol-version': '2025-11-25' })).status).toBe(200);
    const newer = await new Client().initialize();
    expect(await codeOf(await newer.send(legacy('ping').body, { 'mcp-protocol-version': '1900-01-01' }))).toEqual([
      400, -32022,
    ]);
  });

  it('is no matter of modern requests', async () => {
    await serve();
    const { body, headers } = modern('tools/list');
    for (const session of ['dead', (await new Client().initialize()).session]) {
      const answer = await fetch(fixture.url, {
        method: 'POST',
        body,
        headers: { ...headers, 'mcp-session-id': session },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.has('mcp-session-id')).toBe(false);
    }
  });

  it('answers other methods with what is allowed', async () => {
    await serve();
    for (const [method, version] of [
      ['GET', '2026-07-28'],
      ['DELETE', '2026-07-28'],
      ['PUT', '2025-11-25'],
    ] as const) {
      const answer = await fetch(fixture.url, { method, headers: { 'mcp-protocol-version': version } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, GET, DELETE']);
    }
    expect(await new Client().status('GET')).toBe(400);
    expect(await new Client().status('DELETE')).toBe(400);
    const client = await new Client().initialize();
    expect(await client.status('GET', { accept: 'application/json' })).toBe(406);
    expect(await client.status('GET', { 'mcp-protocol-version': '1900-01-01' })).toBe(400);
  });
});

describe('a GET stream', () => {
  it('is primed in 2025-11-25 and tells of changes', async () => {
    await serve();
    const client = await new Client().initialize();
    const events = await client.listen();
    const priming = await events.next();
    expect(priming?.id).toBeDefined();
    expect(priming?.retry).toBeGreaterThan(0);
    expect(priming?.message).toBeUndefined();
    fixture.sessions?.deliver({ kind: 'tools' });
    const change = await events.next();
    expect(change?.message).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    expect(change?.id).not.toBe(priming?.id);
    expect(fixture.endpoint.streams).toBe(1);
    await events.leave();
  });

  it('has its head at once where nothing is primed', async () => {
    await serve();
    const client = await new Client(undefined, '2025-06-18').initialize();
    const events = await client.listen();
    await events.leave();
  });

  it('ends with its session, and with the server', async () => {
    await serve();
    const client = await new Client().initialize();
    const events = await client.listen();
    await events.next();
    expect(await client.status('DELETE')).toBe(204);
    expect(await events.next()).toBeUndefined();
    const other = await (await new Client().initialize()).listen();
    await other.next();
    await fixture.endpoint.close();
    expect(await other.next()).toBeUndefined();
    expect(fixture.endpoint.streams).toBe(0);
  });
});

describe('a question to the client', () => {
  const ask = tool('ask', async (_args, context) => {
    const { action } = await context.elicit({ message: 'Who?', schema: {} });
    return action;
  });

  it('travels on the stream of its call, and is answered by a POST of this session alone', async () => {
    await serve(ask);
    const client = await new Client('alice').initialize({ elicitation: {} });
    const other = await new Client('bob').initialize({ elicitation: {} });
    const events = new Events(await client.call('tools/call', { name: 'ask' }, 'q'));
    expect((await events.next())?.message).toBeUndefined();
    const question = await events.message();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } });
    const answer = JSON.stringify({ jsonrpc: '2.0', id: question?.id, result: { action: 'decline' } });
    const forged = JSON.stringify({
      jsonrpc: '2.0',
      id: question?.id,
      result: { action: 'accept', content: { name: 'x' } },
    });
    expect((await other.send(forged)).status).toBe(202);
    expect((await client.send(answer)).status).toBe(202);
    expect((await client.send(forged)).status).toBe(202);
    expect(await events.message()).toMatchObject({ id: 'q', result: { content: [{ text: 'decline' }] } });
    expect(await events.next()).toBeUndefined();
  });

  it('is not asked of a client that takes no events', async () => {
    await serve(ask);
    const client = await new Client().initialize({ elicitation: {} });
    const answer = await client.send(legacy('tools/call', { name: 'ask' }).body, { accept: 'application/json' });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(JSON.stringify(await answer.json())).toContain('cannot be asked');
  });
});

describe('a call', () => {
  function gate(): { readonly opened: Promise<void>; open(): void } {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { opened, open: () => open() };
  }

  it('can be cancelled by its own session: nothing more is sent for it', async () => {
    const started = gate();
    await serve(
      tool('wait', async (_args, context) => {
        started.open();
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
        throw new McpToolError('aborted');
      }),
    );
    const client = await new Client('alice').initialize();
    const other = await new Client('bob').initialize();
    const call = client.call('tools/call', { name: 'wait' }, 'w');
    await started.opened;
    const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } });
    expect((await other.send(cancel)).status).toBe(202);
    expect(await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 50, 'running'))])).toBe('running');
    expect((await client.send(cancel)).status).toBe(202);
    const answer = await call;
    expect([answer.status, await answer.text()]).toEqual([202, '']);
  });

  const work = (steps: readonly Promise<void>[]) =>
    tool('work', async (_args, context) => {
      let done = 0;
      for (const step of steps) {
        context.progress(++done, 3);
        await step;
      }
      context.progress(++done, 3);
      return 'done';
    });
  const params = { name: 'work', _meta: { progressToken: 'p' } };

  it('goes on when its client leaves, who comes back for what it missed', async () => {
    const [first, second] = [gate(), gate()];
    await serve(work([first.opened, second.opened]));
    const client = await new Client().initialize();
    const events = new Events(await client.call('tools/call', params, 'c'));
    await events.next();
    const seen = await events.next();
    expect(seen?.message).toMatchObject({ params: { progress: 1 } });
    await events.leave();
    first.open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const resumed = await client.listen({ 'last-event-id': seen?.id ?? '' });
    expect((await resumed.next())?.message).toMatchObject({ params: { progress: 2 } });
    second.open();
    expect((await resumed.next())?.message).toMatchObject({ params: { progress: 3 } });
    expect((await resumed.next())?.message).toMatchObject({ id: 'c', result: { content: [{ text: 'done' }] } });
    expect(await resumed.next()).toBeUndefined();
  });

  it('lets its client go for a while', async () => {
    const step = gate();
    await serve(
      tool('work', async (_args, context) => {
        context.releaseStream({ retryMs: 25 });
        await step.opened;
        return 'done';
      }),
    );
    const client = await new Client().initialize();
    const events = new Events(await client.call('tools/call', { name: 'work' }, 'c'));
    const priming = await events.next();
    expect((await events.next())?.retry).toBe(25);
    expect(await events.next()).toBeUndefined();
    step.open();
    const resumed = await client.listen({ 'last-event-id': priming?.id ?? '' });
    expect((await resumed.next())?.message).toMatchObject({ id: 'c', result: { content: [{ text: 'done' }] } });
    expect(await resumed.next()).toBeUndefined();
  });

  it('is answered as one event with an id, when the client takes only events', async () => {
    await serve();
    const client = await new Client().initialize();
    const answer = await client.send(legacy('ping').body, { accept: 'text/event-stream' });
    const events = new Events(answer);
    expect((await events.next())?.message).toBeUndefined();
    const last = await events.next();
    expect(last?.id).toBeDefined();
    expect(last?.message).toMatchObject({ id: 1, result: {} });
    expect(await events.next()).toBeUndefined();
  });

  it('cannot be resumed from an id of another session, or from garbage', async () => {
    const step = gate();
    await serve(work([step.opened]));
    const client = await new Client().initialize();
    const events = new Events(await client.call('tools/call', params, 'c'));
    const priming = await events.next();
    const other = await new Client().initialize();
    expect(await other.status('GET', { 'last-event-id': priming?.id ?? '' })).toBe(400);
    expect(await client.status('GET', { 'last-event-id': 'garbage' })).toBe(400);
    step.open();
    await events.message();
  });

  it('may share its id with another one that still runs', async () => {
    const step = gate();
    await serve(tool('wait', () => step.opened.then(() => 'late')));
    const client = await new Client().initialize();
    const slow = client.call('tools/call', { name: 'wait' }, 1);
    expect((await client.call('ping', {}, 1)).status).toBe(200);
    step.open();
    expect(await (await slow).json()).toMatchObject({ id: 1, result: { content: [{ text: 'late' }] } });
  });
});

describe('batches of a 2025-03-26 session', () => {
  it('are streamed when something is said before the answers', async () => {
    await serve(
      tool('work', (_args, context) => {
        context.progress(1);
        return 'done';
      }),
    );
    const client = await new Client(undefined, '2025-03-26').initialize();
    const call = legacy('tools/call', { name: 'work', _meta: { progressToken: 1 } }, 'a').body;
    const events = new Events(await client.send(`[${call},${legacy('ping', {}, 'b').body}]`));
    expect(await events.message()).toMatchObject({ method: 'notifications/progress' });
    expect([(await events.message())?.id, (await events.message())?.id]).toEqual(['a', 'b']);
    expect(await events.next()).toBeUndefined();
    const eventsOnly = new Events(
      await client.send(`[${legacy('ping', {}, 'b').body}]`, { accept: 'text/event-stream' }),
    );
    expect(await eventsOnly.message()).toMatchObject({ id: 'b' });
    expect(await eventsOnly.next()).toBeUndefined();
  });
});

describe('too many streams', () => {
  it('are refused, and calls are answered without one', async () => {
    fixture = await serveEndpoint(
      [
        tool('work', (_args, context) => {
          context.progress(1);
          return 'done';
        }),
      ],
      { sessions: true, maxStreams: 1 },
    );
    const client = await new Client().initialize();
    const events = await client.listen();
    await events.next();
    expect(await client.status('GET', { accept: 'text/event-stream' })).toBe(503);
    const answer = await client.call('tools/call', { name: 'work', _meta: { progressToken: 1 } });
    expect(answer.headers.get('content-type')).toBe('application/json');
    await events.leave();
  });
});

it('a connection that breaks takes its GET stream along', async () => {
  await serve();
  const client = await new Client().initialize();
  const connection = await RawConnection.open(fixture.port);
  const lines = Object.entries(client.headers({ accept: 'text/event-stream' })).map(
    ([key, value]) => `${key}: ${value}`,
  );
  connection.write(`GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await connection.until('retry:');
  connection.socket.destroy();
  while (fixture.endpoint.streams > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await client.call('ping')).status).toBe(200);
});

describe('a body that GET or DELETE announces and withholds', () => {
  const endless = 'Content-Length: 9000000000\r\n\r\n';
  const head = (method: string, ...lines: string[]) =>
    [`${method} /mcp HTTP/1.1`, 'Host: x', 'Accept: text/event-stream', ...lines, ''].join('\r\n');

  it.each([
    ['GET', 400, []],
    ['DELETE', 400, []],
    ['GET', 404, ['Mcp-Session-Id: nobody']],
    ['DELETE', 404, ['Mcp-Session-Id: nobody']],
  ] as const)('is not read after a refusal: %s %i', async (method, status, lines) => {
    await serve();
    const connection = await RawConnection.open(fixture.port);
    expect((await connection.write(head(method, ...lines) + endless).answer()).status).toBe(status);
    expect(await connection.rest()).toBe('');
    // Without one the connection is kept.
    const other = await RawConnection.open(fixture.port);
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await other.write(`${head(method, ...lines)}\r\n`).answer()).status).toBe(status);
    }
    other.socket.destroy();
  });

  it('is not read after the end of a session, or of its stream', async () => {
    await serve();
    const session = `Mcp-Session-Id: ${(await new Client().initialize()).session}`;
    const stream = await RawConnection.open(fixture.port);
    stream.write(head('GET', session) + endless);
    await stream.until('retry:');
    const connection = await RawConnection.open(fixture.port);
    expect((await connection.write(head('DELETE', session) + endless).answer()).status).toBe(204);
    expect(await connection.rest()).toBe('');
    expect(await stream.rest()).toMatch(/connection: close/i);
  });
});
