import { Catalog } from '../../src/protocol/catalog/catalog.js';
import type { Call, Channel, Conversation, Outcome } from '../../src/protocol/call.js';
import type { Change, ChangeBus, ChangeListener } from '../../src/protocol/changes.js';
import type { ArgumentSchema, Definition, Handler, ToolDefinition } from '../../src/protocol/catalog/entries.js';
import { META } from '../../src/protocol/envelope.js';
import type { JsonObject } from '../../src/protocol/json/json.js';
import { findRevision, REVISIONS, type Revision, type RevisionName } from '../../src/protocol/revisions.js';
import type { FormSchema, ServerOptions } from '../../src/protocol/server-options.js';
import { McpCore } from '../../src/protocol/server.js';
import type { StateSealer } from '../../src/protocol/questions/state.js';

/** Takes any object; hands it on unchanged. */
export const anyArguments: ArgumentSchema = {
  wire: { type: 'object', properties: {} },
  parse: (args) => ({ ok: true, value: args }),
};

export function tool(name: string, handler: Handler, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return { kind: 'tool', name, source: `Tools.${name}`, handler, input: anyArguments, ...more };
}

const anyForm: FormSchema = {
  wire: { type: 'object', properties: { name: { type: 'string' } } },
  plainWire: { type: 'object', properties: { name: { type: 'string' } } },
  parse: (content) =>
    typeof content === 'object' && content !== null && 'name' in content
      ? { ok: true, value: content }
      : { ok: false, violations: [{ path: 'name', rule: 'is required' }] },
};

/** Seals as readable text, so that a test can forge; bound and single-use like the real one. */
export class ReadableSealer implements StateSealer {
  readonly spent = new Set<string>();
  #count = 0;

  seal(payload: JsonObject, binding: object): string {
    this.#count += 1;
    return JSON.stringify({ n: this.#count, payload, binding });
  }

  open(text: string, binding: object): ReturnType<StateSealer['open']> {
    if (this.spent.has(text)) return undefined;
    let state: { payload: JsonObject; binding: object };
    try {
      state = JSON.parse(text) as typeof state;
    } catch {
      return undefined;
    }
    if (JSON.stringify(state.binding) !== JSON.stringify(binding)) return undefined;
    return {
      payload: state.payload,
      spend: () => {
        const fresh = !this.spent.has(text);
        this.spent.add(text);
        return fresh;
      },
    };
  }
}

export class LocalBus implements ChangeBus {
  readonly #listeners = new Set<ChangeListener>();

  get size(): number {
    return this.#listeners.size;
  }

  publish(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export interface Logged {
  readonly message: string;
  readonly error?: unknown;
}

export interface CoreFixture {
  readonly core: McpCore;
  readonly logged: Logged[];
  readonly bus: LocalBus;
  readonly sealer: ReadableSealer;
}

export function coreOf(definitions: readonly Definition[], more: Partial<ServerOptions> = {}): CoreFixture {
  const { catalog, faults } = Catalog.build(definitions);
  if (catalog === undefined) throw new Error(faults.map(({ source, message }) => `${source}: ${message}`).join('\n'));
  const logged: Logged[] = [];
  const bus = new LocalBus();
  const sealer = new ReadableSealer();
  const log = (message: string, error?: unknown): void => void logged.push({ message, error });
  let ids = 0;
  const none = { ttlMs: 0, scope: 'private' } as const;
  const core = new McpCore({
    info: { name: 'test', version: '1.0.0', title: 'Test', websiteUrl: 'https://example.com' },
    revisions: REVISIONS,
    catalog,
    pageSizes: { tools: 1000, resources: 50, templates: 50, prompts: 50 },
    cache: { tools: none, resources: none, prompts: none, discover: none, read: none },
    logger: { error: log, warn: log, info: log, debug: log },
    bus,
    sealer,
    compileForm: () => anyForm,
    newId: () => `id-${++ids}`,
    defer: (run) => void setImmediate(run),
    questionTimeoutMs: 1_000,
    confirmTimeoutMs: 1_000,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    ...more,
  });
  return { core, logged, bus, sealer };
}

export interface SentMessage {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export interface CallFixture {
  readonly call: Call;
  readonly sent: SentMessage[];
  readonly abort: AbortController;
}

export function revisionOf(name: RevisionName): Revision {
  const revision = findRevision(name);
  if (revision === undefined) throw new Error(`no revision ${name}`);
  return revision;
}

export function conversationOf(more: Partial<Conversation> = {}): Conversation {
  return {
    id: 'session-1',
    clientInfo: { name: 'client', version: '1' },
    clientCapabilities: {},
    logLevel: undefined,
    setLogLevel: () => undefined,
    subscribe: () => undefined,
    unsubscribe: () => undefined,
    ...more,
  };
}

export function callOf(name: RevisionName, more: Partial<Call> & { readonly ask?: Channel['ask'] } = {}): CallFixture {
  const sent: SentMessage[] = [];
  const abort = new AbortController();
  const { ask, ...rest } = more;
  const call: Call = {
    revision: revisionOf(name),
    transport: 'http',
    abilities: { streams: true, conversation: rest.conversation !== undefined },
    request: {},
    response: {},
    identity: undefined,
    identityKey: undefined,
    conversation: undefined,
    channel: {
      signal: abort.signal,
      notify: (method, params) => void sent.push({ method, params: params as Record<string, unknown> }),
      ...(ask === undefined ? {} : { ask }),
    },
    ...rest,
  };
  return { call, sent, abort };
}

export interface Answer {
  readonly status: number;
  readonly outcome: Outcome;
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sends one request; modern calls get the `_meta` they need unless given. */
export async function send(
  { core }: Pick<CoreFixture, 'core'>,
  { call }: Pick<CallFixture, 'call'>,
  method: string,
  params: Record<string, unknown> = {},
  capabilities: object = {},
): Promise<Answer> {
  const meta =
    call.revision.era === 'modern'
      ? {
          _meta: {
            [META.protocolVersion]: call.revision.name,
            [META.clientCapabilities]: capabilities,
            ...(params['_meta'] as object | undefined),
          },
        }
      : {};
  const outcome = await core.handle({ kind: 'request', id: 7, method, params: { ...params, ...meta } }, call);
  const parsed = outcome.body === '' ? {} : (JSON.parse(outcome.body) as Omit<Answer, 'status' | 'outcome'>);
  return { status: outcome.status, outcome, ...parsed };
}
