import {
  CallCancelled,
  type ClientCapabilities,
  type Implementation,
  type ProtocolServer,
  type RequestMessage,
  type ResponseMessage,
} from '../../protocol/call.js';
import type { ChangeBus } from '../../protocol/changes.js';
import { encode, encodeError, encodeResult } from '../../protocol/results/encoder.js';
import { META } from '../../protocol/envelope.js';
import { ErrorCode, McpError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/json/json.js';
import type { McpLogger } from '../../protocol/logger.js';
import { classify } from '../../protocol/messages.js';
import type { Revision } from '../../protocol/revisions.js';
import { PipeDialogue } from '../stdio/dialogue.js';
import type { CallOrigin } from '../stdio/stand-ins.js';
import { answerTo, capabilitiesFor, type ClientAnswers } from './client-answers.js';

export interface MemoryClientOptions {
  readonly server: ProtocolServer;
  readonly revision: Revision;
  readonly logger: McpLogger;
  /** Changes that a handshake-era client is told of. */
  readonly bus?: ChangeBus;
  /** Where each message of this client comes from. */
  readonly origin: () => CallOrigin;
  readonly answers?: ClientAnswers;
  /** Default: what the answers need. */
  readonly capabilities?: ClientCapabilities;
}

export interface MemoryNotification {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type Params = Readonly<Record<string, unknown>>;

/** The result of a request. */
export type MemoryResult = Readonly<Record<string, unknown>>;

interface Pending {
  resolve(result: MemoryResult): void;
  reject(error: unknown): void;
}

const CLIENT_INFO: Implementation = Object.freeze({ name: 'memory-client', version: '1' });
/** A handler that asks again in every pass would be replayed for ever. */
const MOST_PASSES = 100;

/**
 * A client in the process of its server, of any revision. Every message passes as JSON text through what a pipe passes
 * through, so that what works here works for a client that is somewhere else.
 */
export class MemoryClient {
  /** Everything the server said without being asked, in order. */
  readonly notifications: MemoryNotification[] = [];
  readonly #dialogue: PipeDialogue;
  readonly #pending = new Map<number, Pending>();
  readonly #answers: ClientAnswers;
  readonly #capabilities: ClientCapabilities;
  readonly #unsubscribe: (() => void) | undefined;
  #lastId = 0;
  #closed = false;

  private constructor(private readonly options: MemoryClientOptions) {
    const { server, logger, bus, origin, answers = {}, capabilities } = options;
    this.#answers = answers;
    this.#capabilities = capabilities ?? capabilitiesFor(answers);
    this.#dialogue = new PipeDialogue({
      server,
      logger,
      origin,
      send: (text) => this.#receive(text),
      onExit: undefined,
      ordered: false,
      maxBatchItems: 100,
    });
    this.#unsubscribe = bus?.subscribe((change) => this.#dialogue.tell(change));
  }

  /** A client that has greeted its server, and how it was greeted: `initialize`, or in modern revisions `server/discover`. */
  static async open(
    options: MemoryClientOptions,
  ): Promise<{ readonly client: MemoryClient; readonly greeting: MemoryResult }> {
    const { revision, server } = options;
    if (!server.revisions.includes(revision)) throw new Error(`The server does not serve revision ${revision.name}`);
    const client = new MemoryClient(options);
    if (revision.era === 'modern') return { client, greeting: await client.request('server/discover') };
    const greeting = await client.request('initialize', {
      protocolVersion: revision.name,
      capabilities: client.#capabilities,
      clientInfo: CLIENT_INFO,
    });
    client.#say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return { client, greeting };
  }

  /**
   * Settles with the result, after all rounds of questions; rejects with `McpError` when the answer is an error, and
   * with the reason of the signal when that is aborted: then the server is told that the call is cancelled.
   */
  async request(method: string, params: Params = {}, signal?: AbortSignal): Promise<MemoryResult> {
    let sent = params;
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const result = await this.#send(method, sent, signal);
      if (result['resultType'] !== 'input_required') return result;
      sent = { ...params, ...(await this.#continuation(result)) };
    }
    throw new Error(`${method} was still asking for input after ${MOST_PASSES} rounds`);
  }

  /** The client leaves: what still runs for it is cancelled. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe?.();
    this.#dialogue.abort(new CallCancelled('The client left'));
    this.#abandon(new Error('The client was closed'));
  }

  #send(method: string, params: Params, signal: AbortSignal | undefined): Promise<MemoryResult> {
    signal?.throwIfAborted();
    if (this.#closed) throw new Error('The client was closed');
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#pending.delete(id);
        this.#say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        // Whatever the caller gave as its reason.
        reject(signal?.reason as Error);
      };
      const done = (): void => signal?.removeEventListener('abort', cancel);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#pending.set(id, {
        resolve: (result) => {
          done();
          resolve(result);
        },
        reject: (error) => {
          done();
          reject(error as Error);
        },
      });
      this.#say({ jsonrpc: '2.0', id, method, params: this.#dressed(params) });
    });
  }

  /** Modern requests say of themselves who asks; what the caller says in `_meta` comes first. */
  #dressed(params: Params): Params {
    const { revision } = this.options;
    if (revision.era === 'legacy') return params;
    const given = params['_meta'];
    const own = {
      [META.protocolVersion]: revision.name,
      [META.clientInfo]: CLIENT_INFO,
      [META.clientCapabilities]: this.#capabilities,
    };
    return { ...params, _meta: isObject(given) ? { ...own, ...given } : own };
  }

  /** What a replay brings along: the answers to all questions of the pass, and its state (MRTR-15). */
  async #continuation({ inputRequests, requestState }: MemoryResult): Promise<Params> {
    const questions = Object.entries(isObject(inputRequests) ? inputRequests : {});
    const answers = questions.map(async ([key, question]) => {
      const { method, params } = question as { readonly method: string; readonly params?: Params };
      return [key, await answerTo(method, params ?? {}, this.#answers)] as const;
    });
    return {
      inputResponses: Object.fromEntries(await Promise.all(answers)),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }

  #say(message: object): void {
    this.#dialogue.hear(encode(message));
  }

  #receive(text: string): void {
    const message = classify(JSON.parse(text) as unknown);
    switch (message.kind) {
      case 'response':
        return this.#settle(message);
      case 'notification':
        this.notifications.push({ method: message.method, params: message.params });
        return;
      case 'request':
        void this.#reply(message);
        return;
      case 'failure':
        // An error without an id answers nothing in particular.
        this.#abandon(new Error('The server could not read a message of this client'));
    }
  }

  #settle({ id, result, error }: ResponseMessage): void {
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (pending === undefined) return;
    this.#pending.delete(id as number);
    if (error === undefined) pending.resolve(isObject(result) ? result : {});
    else pending.reject(new McpError(error.code, error.message, error.data));
  }

  async #reply({ id, method, params }: RequestMessage): Promise<void> {
    let text: string;
    try {
      text = encodeResult(id, encode(await answerTo(method, params, this.#answers)));
    } catch (error) {
      const { code, message } =
        error instanceof McpError ? error : { code: ErrorCode.InternalError, message: 'Failed' };
      text = encodeError(id, code, message);
    }
    if (!this.#closed) this.#dialogue.hear(text);
  }

  #abandon(error: Error): void {
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(error);
  }
}
