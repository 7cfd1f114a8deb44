import type { ChangeBus } from '../protocol/changes.js';
import type { Gate } from '../protocol/gate.js';
import type { CanActivate, Type } from '@nestjs/common';
import type { ProtocolServer } from '../protocol/call.js';
import type { McpContext } from '../protocol/context.js';
import type { Entry } from '../protocol/catalog/catalog-entries.js';
import type { Icon } from '../protocol/catalog/entries.js';
import type { McpCatalogSource } from '../entries/mcp-catalog-source.js';
import type { McpObserver } from '../telemetry/mcp-observer.js';
import type { RevisionName } from '../protocol/revisions.js';
import type { CacheHint } from '../protocol/server-options.js';
import type { TaskStore } from '../protocol/tasks/tasks.js';
import type { EventStore } from '../session/event-store.js';
import type { StateSecret } from '../session/key-ring.js';
import type { NonceStore } from '../session/nonce-store.js';
import type { SessionIds } from '../session/session-ids.js';
import type { SessionStore } from '../session/session-store.js';

/** What the server says of itself. */
export interface McpServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
  /** How to use this server, for the model. */
  readonly instructions?: string;
}

/** Decides who sees what: hidden entries are unknown to list, call, read, get and complete alike. */
export interface McpVisibility {
  isVisible(entry: Entry, context: McpContext): boolean | Promise<boolean>;
}

/** Judges the exact bytes of a body before they are read as JSON, e.g. by a signature. */
export interface McpRawBodyCheck {
  /** True lets the request in; anything else is a 403. A throw is a 500. */
  verify(request: object, bytes: Buffer): boolean | Promise<boolean>;
}

/** Decides about every call of a tool, once its arguments were checked. One that throws denies. */
export interface McpGate {
  decide(...call: Parameters<Gate>): ReturnType<Gate>;
}

export interface McpLimits {
  /** Bytes of a request body, and of a line over stdio. Default 4,194,304. */
  readonly bodyBytes?: number;
  /** Time in which a whole body must arrive, in ms. Default 15,000. */
  readonly bodyTimeoutMs?: number;
  /** Messages in a batch (2025-03-26). Default 100. */
  readonly batchItems?: number;
  /** Refuse bodies without `Content-Length` (411). Default false. */
  readonly requireContentLength?: boolean;
  /** Event streams open at once, over all clients. Default 10,000. */
  readonly streams?: number;
  /**
   * Time for the handler of one call, in ms; `@McpTool({ timeoutMs })` comes first. Then its signal is aborted and the
   * call has failed. The time that the client takes to answer questions does not count. Default: no bound.
   */
  readonly callTimeoutMs?: number;
  /** UTF-8 bytes of one result; `@McpTool({ maxOutputBytes })` comes first. A longer one has failed. Default: no bound. */
  readonly maxOutputBytes?: number;
  /**
   * Calls of tools, resources, prompts and completions at once. One more is an error with 503 and `Retry-After`.
   * Default: no bound.
   */
  readonly inFlight?: number;
  /**
   * The same for one identity key, with 429. Callers without a key are one caller. Default: no bound.
   */
  readonly inFlightPerCaller?: number;
}

/** Entries of a page of each list. */
export interface McpPageSizes {
  /** Default 1,000: most clients read only the first page of tools. */
  readonly tools?: number;
  /** Default 50. */
  readonly resources?: number;
  /** Default 50. */
  readonly templates?: number;
  /** Default 50. */
  readonly prompts?: number;
}

/** How long results may be cached, and by whom (2026-07-28). Default of each: 0 ms, private. */
export interface McpCacheHints {
  readonly tools?: Partial<CacheHint>;
  readonly resources?: Partial<CacheHint>;
  readonly prompts?: Partial<CacheHint>;
  readonly discover?: Partial<CacheHint>;
  readonly read?: Partial<CacheHint>;
}

export interface McpSessionOptions {
  /** Default: in memory. With a store of one's own, `idleMs` and `max` are that store's. */
  readonly store?: SessionStore;
  /** Idle time after which a session is dead, in ms. Default 1,800,000. */
  readonly idleMs?: number;
  /** Sessions at once; one more ends the one idle longest. Default 10,000. */
  readonly max?: number;
  /** What was said on event streams, for clients that lost one. Default: in memory, bounded. */
  readonly events?: EventStore;
  /** Session ids of the host's own making. */
  readonly ids?: SessionIds;
}

export interface McpTaskOptions {
  /** Default: in memory, bounded. */
  readonly store?: TaskStore;
  /** How long a task is kept when its client names no time, in ms. Default 3,600,000. */
  readonly ttlMs?: number;
  /** The longest time a client may name, in ms. Default 86,400,000. */
  readonly maxTtlMs?: number;
  /** How often clients are told to look, in ms. Default 1,000. */
  readonly pollIntervalMs?: number;
}

export interface McpSkillOptions {
  /**
   * A folder whose sub-folders are skills: each holds a `SKILL.md`, and is named as that says. Relative to the working
   * directory. Read once, when the application starts; names that begin with a dot are passed over.
   */
  readonly directory: string;
}

/** Options of `McpModule.forRoot`, or what the factory of `forRootAsync` makes. */
export interface McpModuleOptions {
  /**
   * What the server says of itself; a function is asked for each request that is told. Answer with the same object for
   * the same identity: what is made of it is kept by it.
   */
  readonly server: McpServerInfo | ((context: McpContext) => McpServerInfo);
  /** Browser origins that may call, e.g. `https://app.example.com`; `[]` for none, `'any'` for all. */
  readonly allowedOrigins: readonly string[] | 'any';
  /**
   * Host names that may be called. Default: on a loopback connection `localhost`, `127.0.0.0/8` and `[::1]`; elsewhere
   * unchecked. An entry without a port matches any port.
   */
  readonly allowedHosts?: readonly string[];
  /** Guards of the endpoint: they run before the body is read. `'none'` lets everybody in. */
  readonly guards: readonly (Type<CanActivate> | CanActivate)[] | 'none';
  /** Where global guards run: at the endpoint and again for each handler, or at the endpoint alone. Default `'both'`. */
  readonly globalGuards?: 'both' | 'endpoint';
  /** The caller behind a request. Default: whom an `McpAuthenticator` let in, else `request.user`. */
  identity?(request: object): unknown;
  /** The key by which callers are compared. Default: a string itself, else `sub` or `id`, else a digest. */
  identityKey?(identity: unknown): string | undefined;
  /** Decides who sees what; a class is taken from the container. */
  readonly visibility?: Type<McpVisibility> | McpVisibility['isVisible'];
  /** Give each caller entries of its own; classes are taken from the container, request-scoped ones too. */
  readonly sources?: readonly (Type<McpCatalogSource> | McpCatalogSource)[];
  /** Judges the exact bytes of a body; a class is taken from the container. */
  readonly rawBody?: Type<McpRawBodyCheck> | McpRawBodyCheck['verify'];
  /** Offers of the tools those with these names alone; a name that no tool has is ignored. Default: all. */
  readonly expose?: { readonly tools: readonly string[] };
  /** Runs the tools of `forFeature` and `McpCatalog` that have no handler of their own. */
  dispatch?(name: string, args: Record<string, unknown>, context: McpContext, dispatchContext: unknown): unknown;
  /** The fourth argument of `dispatch`. */
  readonly dispatchContext?: unknown;
  /**
   * Puts something around the core, for every transport: it gets each message before the core does, and the answer
   * before the client. Answer with an object that hands on what it leaves alone.
   */
  core?(inner: ProtocolServer): ProtocolServer;
  /** Revisions served. Default: all. */
  readonly revisions?: readonly RevisionName[];
  readonly limits?: McpLimits;
  readonly pageSize?: McpPageSizes;
  readonly cache?: McpCacheHints;
  /** Sessions of clients that begin with `initialize`; `'stateless'` for none. Default: in memory. */
  readonly sessions?: McpSessionOptions | 'stateless';
  /** With `sessions: 'stateless'`: what handlers get as `context.sessionId`. It is neither issued nor checked. */
  statelessSessionId?(request: object): string | undefined;
  /** Tools that say `task` may run as tasks. */
  readonly tasks?: McpTaskOptions;
  /** Skills for clients of 2026-07-28; their files are resources. Needs the package `yaml`. Default: none. */
  readonly skills?: McpSkillOptions;
  /** Secrets that seal `requestState`, shared by all instances: the first seals, all open. At least 32 bytes each. */
  readonly stateKeys?: readonly StateSecret[];
  /** Carries changes to the streams of clients, of this process or of several. Default: of this process alone. */
  readonly bus?: ChangeBus;
  /** Remembers which sealed states were used up; instances that share `stateKeys` need a shared one. */
  readonly nonces?: NonceStore;
  /** How long a question to the client waits for its answer, in ms. Default 300,000. */
  readonly questionTimeoutMs?: number;
  /** Allows, denies or wants confirmation of each call; a class is taken from the container. */
  readonly gate?: Type<McpGate> | Gate;
  /** Are told of each call and how it ended; classes are taken from the container. */
  readonly observers?: readonly (Type<McpObserver> | McpObserver)[];
  /** How long the user's confirmation is waited for, in ms. Default 300,000. */
  readonly confirmTimeoutMs?: number;
  /** Time between comments on a quiet event stream, in ms. Default 15,000. */
  readonly keepAliveMs?: number;
  /** How long running calls may go on when the application shuts down, in ms. Default 5,000. */
  readonly drainMs?: number;
}

/** For `useClass` and `useExisting` of `McpModule.forRootAsync`. */
export interface McpOptionsFactory {
  createMcpOptions(): McpModuleOptions | Promise<McpModuleOptions>;
}
