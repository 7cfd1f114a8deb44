import type { Revision, RevisionName } from './revisions.js';

export type RequestId = string | number;

export interface RequestMessage {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  /** Absent params are an empty object. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface NotificationMessage {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface ResponseMessage {
  readonly kind: 'response';
  readonly id: RequestId;
  /** Exactly one of the two is there (BASE-08). */
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type Message = RequestMessage | NotificationMessage | ResponseMessage;

export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly [key: string]: unknown;
}

export type ClientCapabilities = Readonly<Record<string, unknown>>;

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Where messages of one call may travel before its result. Made by the transport for each request. A missing member
 * means that this transport or configuration cannot do it: the context says so in an `McpError`.
 */
export interface Channel {
  /** Aborted when the client cancels or (modern) leaves, when the call times out, and at shutdown. */
  readonly signal: AbortSignal;
  /** True once the head of the answer was sent: a status can no longer be chosen (HTTP-23). */
  readonly committed?: boolean;
  /** Sends a notification on the stream of this call; opens the stream when it is the first. */
  notify?(method: string, params: object): void;
  /**
   * Handshake revisions only: sends a request to the client and settles with its result; rejects with `McpError` when
   * the client answers with an error, with `QuestionTimeout` when it does not answer in time.
   */
  ask?(method: string, params: object | undefined, options: { readonly timeoutMs: number }): Promise<unknown>;
  /** 2025-11-25: closes the stream of this call early; the client comes back for the result. */
  release?(retryMs: number): void;
}

/** Abort reason: the client cancelled the call or left; nothing more is sent for it (CANC-01, CANC-04, SSE-11). */
export class CallCancelled extends Error {
  override readonly name = 'CallCancelled';
}

/** Abort reason: the server is shutting down; the call is answered with what it has. */
export class ServerClosing extends Error {
  override readonly name = 'ServerClosing';
}

/** The client did not answer a question in time. */
export class QuestionTimeout extends Error {
  override readonly name = 'QuestionTimeout';
}

/**
 * What is remembered of a handshake-era client: by an HTTP session, or by the process on stdio. Absent in stateless
 * HTTP and in modern requests. `session/` implements it.
 */
export interface Conversation {
  /** The session's id; undefined on stdio. */
  readonly id: string | undefined;
  readonly clientInfo: Implementation | undefined;
  readonly clientCapabilities: ClientCapabilities;
  readonly logLevel: LogLevel | undefined;
  setLogLevel(level: LogLevel): void | Promise<void>;
  subscribe(uri: string): void | Promise<void>;
  unsubscribe(uri: string): void | Promise<void>;
}

/** What a transport can do beyond one request and one answer: it decides which capabilities are announced. */
export interface TransportAbilities {
  /** Notifications and (handshake revisions) questions can reach this client. */
  readonly streams: boolean;
  /** A conversation is remembered: `logging`, `subscribe` and `listChanged` work for handshake revisions. */
  readonly conversation: boolean;
}

/** One message and everything known about where it came from. Made by a transport, once per message. */
export interface Call {
  /** Chosen at the edge, before anything else is looked at. */
  readonly revision: Revision;
  readonly transport: 'http' | 'stdio' | 'memory';
  readonly abilities: TransportAbilities;
  /** The host's request object; over stdio a frozen stand-in with empty headers. */
  readonly request: unknown;
  /** What handlers get as `response`: setters work until the head is sent. */
  readonly response: unknown;
  readonly identity: unknown;
  /** Compared wherever something is bound to a caller; undefined is anonymous. */
  readonly identityKey: string | undefined;
  readonly conversation: Conversation | undefined;
  /** Where there is no conversation: the host's own name for what this call belongs to. */
  readonly sessionId?: string | undefined;
  readonly channel: Channel;
}

/** The answer to a request. */
export interface Outcome {
  /** HTTP status; transports without statuses ignore it. */
  readonly status: number;
  /** The whole JSON-RPC response as text, well-formed Unicode. */
  readonly body: string;
  /** Value for `WWW-Authenticate`. */
  readonly challenge?: string;
  /** Value for `Retry-After`, in seconds. */
  readonly retryAfterS?: number;
  /** `initialize` only: what the transport must remember. */
  readonly opened?: {
    readonly revision: Revision;
    readonly clientInfo: Implementation;
    readonly clientCapabilities: ClientCapabilities;
  };
  /** The call was cancelled: nothing must be sent (CANC-01, CANC-04). */
  readonly silent?: boolean;
}

/** A value of the body that a request header must repeat (HDR-03, HDR-04, HDR-13). */
export interface MirroredValue {
  /** Header name as specified, e.g. `Mcp-Name`, `Mcp-Param-Region`. */
  readonly header: string;
  /** The body's value; undefined or null when the body has none. */
  readonly value: unknown;
}

/** The protocol as transports see it. */
export interface ProtocolServer {
  /** Served revisions, newest first. */
  readonly revisions: readonly Revision[];
  /** Never rejects. Undefined for notifications. */
  handle(message: RequestMessage, call: Call): Promise<Outcome>;
  notify(message: NotificationMessage, call: Call): Promise<void>;
  /** For modern requests: what `Mcp-Name` and `Mcp-Param-*` must say, seen through this caller's catalog. */
  mirrored(message: RequestMessage, call: Call): readonly MirroredValue[] | Promise<readonly MirroredValue[]>;
  /** `Mcp-Param-*` names of the whole catalog, for CORS. */
  readonly parameterHeaders: readonly string[];
}

export type { RevisionName };
