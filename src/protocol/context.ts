import type { ClientCapabilities, Implementation, LogLevel, RequestId } from './call.js';
import type { RevisionName } from './revisions.js';

/** How a question to the client ended. `timeout`: no answer in time. */
export type ElicitOutcome<T = Record<string, unknown>> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }
  | { readonly action: 'timeout' };

/** How the request to open a URL ended. `accept` means that the user agreed to open it, not that the work is done. */
export interface ElicitUrlOutcome {
  readonly action: 'accept' | 'decline' | 'cancel' | 'timeout';
}

export interface QuestionOptions {
  /** Stable across replays; default: kind and order of the call. */
  readonly key?: string;
  /** How long to wait for the answer, in ms (handshake revisions). Default 300,000. */
  readonly timeoutMs?: number;
}

export interface ElicitOptions extends QuestionOptions {
  readonly message: string;
  /** Flat object of primitives: JSON Schema, class-validator DTO or Standard Schema. */
  readonly schema: unknown;
}

export interface ElicitUrlOptions extends QuestionOptions {
  readonly message: string;
  readonly url: string;
  /** 2025-11-25 correlates by it; default: a random one. */
  readonly elicitationId?: string;
}

export interface SampleOptions extends QuestionOptions {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[];
  readonly maxTokens: number;
  readonly [parameter: string]: unknown;
}

export interface SampleResult {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
  readonly model: string;
  readonly stopReason?: string;
}

export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/**
 * Where a context keeps `Call.response`. Discovery hands it to the host's guards, interceptors and filters, which expect
 * a response beside the request; a symbol, because authors of handlers have no use for it.
 */
export const RESPONSE: unique symbol = Symbol('response');

/**
 * What a handler or hook knows about the call it serves, and what it can say to the client meanwhile. The same object
 * in every revision; a member whose transport is missing throws an `McpError` that says so.
 */
export abstract class McpContext {
  abstract readonly requestId: RequestId;
  /** JSON-RPC method, e.g. `tools/call`. */
  abstract readonly method: string;
  /** Aborted on cancellation, time-out, shutdown and (2026-07-28) when the client leaves. */
  abstract readonly signal: AbortSignal;
  /** Whatever the host's `identity` option made of the request; undefined when anonymous. */
  abstract readonly identity: unknown;
  /** The key that sessions, sealed states, tasks and limits compare; undefined when anonymous. */
  abstract readonly identityKey: string | undefined;
  /** The host's request object (Express or Fastify); a frozen stand-in over stdio. */
  abstract readonly request: unknown;
  /** @internal What the host's HTTP guards get as `response`: setters work until the head is sent. */
  abstract readonly [RESPONSE]: unknown;
  abstract readonly sessionId: string | undefined;
  /** `params._meta` as received. */
  abstract readonly requestMeta: Readonly<Record<string, unknown>>;
  abstract readonly revision: RevisionName;
  abstract readonly clientInfo: Implementation | undefined;
  abstract readonly clientCapabilities: ClientCapabilities;

  /** Reports progress when the client asked for it; `done` must rise. Dropped otherwise. */
  abstract progress(done: number, total?: number, message?: string): void;
  /** Sends a log message when the client wants this level. */
  abstract log(level: LogLevel, data: unknown, logger?: string): void;
  /** Asks the user to fill in a form. Throws -32021 (2026-07-28) or an `McpError` when the client cannot. */
  abstract elicit<T = Record<string, unknown>>(options: ElicitOptions): Promise<ElicitOutcome<T>>;
  /** Asks the user to open a URL. */
  abstract elicitUrl(options: ElicitUrlOptions): Promise<ElicitUrlOutcome>;
  /** Asks the client's model. */
  abstract sample(options: SampleOptions): Promise<SampleResult>;
  /** Asks for the client's roots. */
  abstract roots(options?: QuestionOptions): Promise<readonly Root[]>;
  /** Runs a side effect once, even when the call is replayed with answers; its value must be JSON. */
  abstract step<T>(name: string, run: () => T | Promise<T>): Promise<T>;
  /** 2025-11-25: closes the stream of this call early; the client returns after `retryMs`. Elsewhere: nothing. */
  abstract releaseStream(options: { readonly retryMs: number }): void;
}
