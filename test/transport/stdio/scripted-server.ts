import type { Call, NotificationMessage, Outcome, ProtocolServer, RequestMessage } from '../../../src/protocol/call.js';
import { CallCancelled } from '../../../src/protocol/call.js';
import { encodeError, encodeResult } from '../../../src/protocol/results/encoder.js';
import { isObject } from '../../../src/protocol/json/json.js';
import { findRevision, REVISIONS, type Revision } from '../../../src/protocol/revisions.js';

type Tool = (args: Readonly<Record<string, unknown>>, call: Call) => unknown;

function aborted({ channel }: Call): Promise<void> {
  return new Promise((resolve) => channel.signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** A protocol that is small enough to see at a glance what the transport adds to it. */
export class ScriptedServer implements ProtocolServer {
  readonly parameterHeaders: readonly string[] = [];
  readonly calls: Call[] = [];
  readonly notifications: string[] = [];
  /** Signals of calls of `wait`. */
  readonly signals: AbortSignal[] = [];
  readonly tools: Record<string, Tool> = {
    echo: ({ text }) => text,
    slow: ({ ms, text }) => new Promise((resolve) => setTimeout(() => resolve(text), Number(ms))),
    wait: async (_args, call) => {
      this.signals.push(call.channel.signal);
      await aborted(call);
      call.channel.notify?.('notifications/message', { data: 'after the abort' });
      if (call.channel.signal.reason instanceof CallCancelled) throw call.channel.signal.reason;
      return 'closing';
    },
    speak: ({ count }, call) => {
      for (let n = 1; n <= Number(count); n += 1) call.channel.notify?.('notifications/progress', { progress: n });
      return 'spoken';
    },
    ask: async (_args, call) => {
      if (call.channel.ask === undefined) return 'cannot ask';
      return call.channel.ask('roots/list', undefined, { timeoutMs: 1_000 }).catch((error: Error) => error.name);
    },
    late: (_args, call) => {
      setTimeout(() => call.channel.notify?.('notifications/message', { data: 'late' }), 5);
      return 'early';
    },
  };

  constructor(readonly revisions: readonly Revision[] = REVISIONS) {}

  async handle(message: RequestMessage, call: Call): Promise<Outcome> {
    this.calls.push(call);
    const { id, method, params } = message;
    const done = (result: unknown): Outcome => ({ status: 200, body: encodeResult(id, JSON.stringify(result)) });
    if (method === 'initialize') {
      await new Promise((resolve) => setImmediate(resolve));
      const revision = findRevision(params['protocolVersion']);
      if (revision === undefined) return { status: 200, body: encodeError(id, -32602, 'No such version') };
      const opened = { revision, clientInfo: { name: 'c', version: '1' }, clientCapabilities: { roots: {} } };
      return { ...done({ protocolVersion: revision.name }), opened };
    }
    if (method === 'subscriptions/listen') return this.#listen(message, call);
    if (method === 'ping') return done({});
    if (method === 'server/discover') return done({ supportedVersions: this.revisions.map(({ name }) => name) });
    if (method === 'resources/subscribe') {
      await call.conversation?.subscribe(String(params['uri']));
      return done({});
    }
    if (method === 'who') return done({ revision: call.revision.name, client: call.conversation?.clientInfo?.name });
    if (method === 'broken') throw new Error('SECRET');
    const tool = method === 'tools/call' ? this.tools[String(params['name'])] : undefined;
    if (tool === undefined) return { status: 404, body: encodeError(id, -32601, 'Method not found') };
    try {
      return done({ text: await tool(isObject(params['arguments']) ? params['arguments'] : {}, call) });
    } catch {
      return { status: 200, body: '', silent: true };
    }
  }

  async #listen({ id }: RequestMessage, call: Call): Promise<Outcome> {
    call.channel.notify?.('notifications/subscriptions/acknowledged', { id });
    await aborted(call);
    return { status: 200, body: encodeResult(id, '{"over":true}') };
  }

  notify(message: NotificationMessage): Promise<void> {
    this.notifications.push(message.method);
    return message.method === 'notifications/broken' ? Promise.reject(new Error('SECRET')) : Promise.resolve();
  }

  mirrored(): readonly never[] {
    return [];
  }
}
