import { CallCancelled, ServerClosing, type ClientCapabilities, type Implementation } from '../protocol/call.js';
import type { Change } from '../protocol/changes.js';
import type { McpLogger } from '../protocol/logger.js';
import { findRevision, type Revision } from '../protocol/revisions.js';
import { changeMessage } from './change-messages.js';
import { ClientFacts } from './client-facts.js';
import type { EventStore } from './event-store.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { InMemorySessionStore, type InMemorySessionStoreOptions } from './in-memory-session-store.js';
import { LiveSession, type SessionStores } from './live-session.js';
import { generateSessionId, isSessionId, type SessionIds } from './session-ids.js';
import type { SessionRecord, SessionStore } from './session-store.js';

export interface SessionsOptions {
  readonly logger: McpLogger;
  /** Default: in memory, 1,800,000 ms idle, 10,000 sessions. */
  readonly store?: SessionStore;
  /** Of the default store. */
  readonly bounds?: Pick<InMemorySessionStoreOptions, 'idleMs' | 'max'>;
  /** Default: in memory, bounded. */
  readonly events?: EventStore;
  readonly ids?: SessionIds;
  /** How often open streams and running calls keep their session from being idle, in ms. Default 30,000. */
  readonly heartbeatMs?: number;
  /** The clock, in ms since the epoch. */
  readonly now?: () => number;
}

/** What `initialize` told, and who said it. */
export interface OpeningFacts {
  readonly identityKey: string | undefined;
  readonly revision: Revision;
  readonly clientInfo: Implementation;
  readonly clientCapabilities: ClientCapabilities;
}

const NONE: readonly string[] = Object.freeze([]);

/** The sessions of this server: what the store remembers, joined with what lives in this process. */
export class Sessions {
  readonly #stores: SessionStores;
  readonly #ownStore: InMemorySessionStore | undefined;
  readonly #ids: SessionIds;
  readonly #logger: McpLogger;
  readonly #heartbeatMs: number;
  readonly #now: () => number;
  readonly #facts = new ClientFacts();
  readonly #live = new Map<string, LiveSession>();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(options: SessionsOptions) {
    this.#now = options.now ?? Date.now;
    const own = new InMemorySessionStore({ ...options.bounds, now: this.#now });
    this.#ownStore = options.store === undefined ? own : undefined;
    this.#stores = {
      sessions: options.store ?? own,
      events: options.events ?? new InMemoryEventStore(),
      logger: options.logger,
    };
    this.#ids = options.ids ?? {};
    this.#logger = options.logger;
    this.#heartbeatMs = options.heartbeatMs ?? 30_000;
    this.#stores.sessions.onEnd?.((id) => this.#bury(id, new CallCancelled('The session expired')));
  }

  /** Sessions with a live part in this process. */
  get liveCount(): number {
    return this.#live.size;
  }

  /** Opens a session. Rejects when the host's `generate` gives no usable or no fresh id. */
  async open(facts: OpeningFacts): Promise<LiveSession> {
    const { identityKey, revision } = facts;
    const clientInfo = this.#facts.info(facts.clientInfo);
    const id = await generateSessionId(this.#ids, { identityKey, clientName: clientInfo.name });
    const now = this.#now();
    const record: SessionRecord = {
      id,
      identityKey,
      revision: revision.name,
      clientInfo,
      clientCapabilities: this.#facts.capabilities(facts.clientCapabilities),
      logLevel: undefined,
      subscriptions: NONE,
      createdAt: now,
      touchedAt: now,
    };
    if (!(await this.#stores.sessions.create(record))) throw new Error('The id of a new session is already in use');
    return this.#bring(record, revision);
  }

  /** Undefined when unknown, dead, refused by the host, or another caller's: these are the same to a client. */
  async find(id: string, identityKey: string | undefined): Promise<LiveSession | undefined> {
    if (!isSessionId(id)) return undefined;
    if (this.#ids.validate !== undefined && !(await this.#ids.validate(id, identityKey))) return undefined;
    const record = await this.#stores.sessions.load(id);
    if (record === undefined) {
      // It ended on another instance. Unknown ids cost the event store nothing.
      if (this.#live.has(id)) this.#bury(id, new CallCancelled('The session ended'));
      return undefined;
    }
    if (record.identityKey !== identityKey) return undefined;
    const revision = findRevision(record.revision);
    if (revision === undefined || !(await this.#stores.sessions.touch(id))) return undefined;
    return this.#bring(record, revision);
  }

  /** Ends a session for its owner (DELETE). False when `find` would not have found it. */
  async end(id: string, identityKey: string | undefined): Promise<boolean> {
    if ((await this.find(id, identityKey)) === undefined) return false;
    const existed = await this.#stores.sessions.destroy(id);
    this.#bury(id, new CallCancelled('The session ended'));
    if (existed) await this.#ids.terminate?.(id);
    return existed;
  }

  /** Tells listening clients of a change: each on one of its GET streams, updates to subscribers alone. */
  deliver(change: Change): void {
    const message = changeMessage(change);
    if (message === undefined) return;
    for (const session of this.#live.values()) {
      if (!session.listening || (change.kind === 'resource' && !session.subscribed(change.uri))) continue;
      try {
        session.say(message);
      } catch (error) {
        this.#logger.error('A session stream failed', error);
      }
    }
  }

  /** Shutdown: ends what lives here. A store of the host is left as it is: its sessions may go on elsewhere. */
  close(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    const reason = new ServerClosing('The server is shutting down');
    for (const session of this.#live.values()) session.end(reason);
    this.#live.clear();
    this.#ownStore?.close();
  }

  #bring(record: SessionRecord, revision: Revision): LiveSession {
    let session = this.#live.get(record.id);
    if (session === undefined) {
      session = new LiveSession(record, revision, this.#stores);
      this.#live.set(record.id, session);
      this.#startHeartbeat();
    } else {
      session.refresh(record);
    }
    session.usedAt = this.#now();
    return session;
  }

  #bury(id: string, reason: Error): void {
    const live = this.#live.get(id);
    this.#live.delete(id);
    live?.end(reason);
    const dropped = this.#stores.events.drop(id);
    if (dropped !== undefined) dropped.catch((error: unknown) => this.#logger.error('Dropping events failed', error));
    if (this.#live.size === 0) this.#stopHeartbeat();
  }

  #startHeartbeat(): void {
    if (this.#heartbeat !== undefined) return;
    this.#heartbeat = setInterval(() => {
      this.#beat().catch((error: unknown) => this.#logger.error('The session store failed', error));
    }, this.#heartbeatMs);
    this.#heartbeat.unref();
  }

  #stopHeartbeat(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  /** Keeps busy sessions from expiring, lets go of idle live parts, and follows sessions that ended elsewhere. */
  async #beat(): Promise<void> {
    const quiet = this.#now() - this.#heartbeatMs;
    for (const [id, session] of [...this.#live]) {
      if (session.busy) {
        if (!(await this.#stores.sessions.touch(id))) this.#bury(id, new CallCancelled('The session ended'));
      } else if (session.listening) {
        if ((await this.#stores.sessions.load(id)) === undefined)
          this.#bury(id, new CallCancelled('The session ended'));
      } else if (session.usedAt <= quiet) {
        this.#live.delete(id);
      }
    }
    if (this.#live.size === 0) this.#stopHeartbeat();
  }
}
