import { JSON_HEADERS } from '../nest-app.js';

export interface RpcMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface StreamEvent {
  readonly id?: string;
  readonly retry?: number;
  /** Undefined for an event without data. */
  readonly message?: RpcMessage;
}

function eventOf(block: string): StreamEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (name !== '') fields.set(name, (fields.get(name) ?? '') + value);
  }
  if (fields.size === 0) return undefined;
  const [id, retry, data] = ['id', 'retry', 'data'].map((name) => fields.get(name));
  return {
    ...(id === undefined ? {} : { id }),
    ...(retry === undefined ? {} : { retry: Number(retry) }),
    ...(data === undefined || data === '' ? {} : { message: JSON.parse(data) as RpcMessage }),
  };
}

/** The events of an answer, as they arrive. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #rest = '';

  constructor(readonly response: Response) {
    if (response.headers.get('content-type') !== 'text/event-stream' || response.body === null) {
      throw new Error(`no event stream: ${response.status} ${response.headers.get('content-type') ?? ''}`);
    }
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Undefined at the end of the stream. */
  async next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n');
      if (end >= 0) {
        const event = eventOf(this.#rest.slice(0, end));
        this.#rest = this.#rest.slice(end + 2);
        if (event !== undefined) return event;
        continue;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#rest += value;
    }
  }

  /** The next event that carries a message. */
  async message(): Promise<(RpcMessage & { readonly eventId?: string | undefined }) | undefined> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) return undefined;
      if (event.message !== undefined) return { ...event.message, eventId: event.id };
    }
  }

  /** Everything to the end of the stream. */
  async rest(): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  /** Cuts the connection. */
  cut(): Promise<void> {
    return this.#reader.cancel();
  }
}

export interface Opening {
  /** Who is calling; default: nobody. */
  readonly caller?: string;
  readonly revision?: string;
  readonly capabilities?: object;
}

/** A handshake-era client that says exactly what it is told to. */
export class RawSession {
  #nextId = 1;

  constructor(
    readonly url: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  get id(): string {
    return this.headers['mcp-session-id'] ?? '';
  }

  /** The same session, met at another place or by another caller. */
  as(headers: Readonly<Record<string, string>>, url = this.url): RawSession {
    return new RawSession(url, { ...this.headers, ...headers });
  }

  /** The same session, but for one header. */
  without(header: string): RawSession {
    const { [header]: _, ...headers } = this.headers;
    return new RawSession(this.url, headers);
  }

  send(message: object): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      headers: { ...JSON_HEADERS, ...this.headers },
    });
  }

  request(method: string, params: object = {}): Promise<Response> {
    return this.send({ id: this.#nextId++, method, params });
  }

  /** Calls a tool; `progress`: it may report some. */
  call(name: string, args: object = {}, progress = true): Promise<Response> {
    const _meta = progress ? { progressToken: `token-${this.#nextId}` } : {};
    return this.request('tools/call', { name, arguments: args, _meta });
  }

  /** A call whose answer is an event stream. */
  async stream(name: string, args: object = {}): Promise<EventReader> {
    return new EventReader(await this.call(name, args));
  }

  async text(name: string, args: object = {}): Promise<string> {
    const { result, error } = (await (await this.call(name, args, false)).json()) as RpcMessage;
    return error === undefined ? firstText(result) : `error ${error.code}`;
  }

  get(lastEventId?: string): Promise<Response> {
    const headers: Record<string, string> = { accept: 'text/event-stream', ...this.headers };
    if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
    return fetch(this.url, { headers });
  }

  async listen(lastEventId?: string): Promise<EventReader> {
    return new EventReader(await this.get(lastEventId));
  }

  delete(): Promise<Response> {
    return fetch(this.url, { method: 'DELETE', headers: this.headers });
  }
}

/** The text of the first block of a tool's result. */
export function firstText(result: Readonly<Record<string, unknown>> | undefined): string {
  const [block] = (result?.['content'] ?? []) as { readonly text?: string }[];
  return block?.text ?? '';
}

export function initialize(
  url: string,
  { caller, revision = '2025-11-25', capabilities = {} }: Opening = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const params = { protocolVersion: revision, capabilities, clientInfo: { name: 'raw', version: '1' } };
  return new RawSession(url, { ...(caller === undefined ? {} : { 'x-caller': caller }), ...headers }).request(
    'initialize',
    params,
  );
}

export async function openSession(url: string, opening: Opening = {}): Promise<RawSession> {
  const response = await initialize(url, opening);
  const id = response.headers.get('mcp-session-id');
  if (id === null) throw new Error(`no session: ${response.status} ${await response.text()}`);
  await response.text();
  const session = new RawSession(url, {
    'mcp-session-id': id,
    'mcp-protocol-version': opening.revision ?? '2025-11-25',
    ...(opening.caller === undefined ? {} : { 'x-caller': opening.caller }),
  });
  await session.send({ method: 'notifications/initialized' });
  return session;
}
