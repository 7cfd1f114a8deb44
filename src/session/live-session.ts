import type { ClientCapabilities, Conversation, Implementation, LogLevel } from '../protocol/call.js';
import type { Revision } from '../protocol/revisions.js';
import { parseEventId } from './event-store.js';
import { InFlight } from './in-flight.js';
import { PendingQuestions } from './pending-questions.js';
import { Resumption } from './resumption.js';
import { changed, type SessionChange, type SessionRecord, type SessionStore } from './session-store.js';
import { SessionStream, type StreamKeeping } from './session-stream.js';
import { admitSubscription } from './subscriptions.js';

export interface SessionStores extends StreamKeeping {
  readonly sessions: SessionStore;
}

/** GET streams of one session; one more closes the oldest (SESS-13). */
const MAX_STANDALONE = 4;

/**
 * The part of a session that lives in this process: running requests, questions, open streams. It is made when the
 * session is first used here and holds next to nothing while idle.
 */
export class LiveSession implements Conversation {
  /** When a request last found it, in ms since the epoch; written by the registry. */
  usedAt = 0;
  #record: SessionRecord;
  #inFlight: InFlight | undefined;
  #questions: PendingQuestions | undefined;
  /** Streams born of a POST that still run, by id. */
  #streams: Map<string, SessionStream> | undefined;
  /** GET streams, attached or waiting for their client; the newest last. */
  #standalone: SessionStream[] | undefined;
  #ended = false;

  constructor(
    record: SessionRecord,
    readonly revision: Revision,
    private readonly stores: SessionStores,
  ) {
    this.#record = record;
  }

  get id(): string {
    return this.#record.id;
  }

  get identityKey(): string | undefined {
    return this.#record.identityKey;
  }

  get clientInfo(): Implementation {
    return this.#record.clientInfo;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#record.clientCapabilities;
  }

  get logLevel(): LogLevel | undefined {
    return this.#record.logLevel;
  }

  /** Requests of this session without an answer yet. */
  get inFlight(): InFlight {
    return (this.#inFlight ??= new InFlight());
  }

  /** Requests to this client; only responses POSTed in this session settle them. */
  get questions(): PendingQuestions {
    return (this.#questions ??= new PendingQuestions());
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Something is going on here: the session must not be taken for idle. */
  get busy(): boolean {
    return (
      (this.#inFlight?.size ?? 0) > 0 ||
      (this.#streams?.size ?? 0) > 0 ||
      (this.#standalone?.some((stream) => stream.attached) ?? false)
    );
  }

  /** A GET stream was opened here and may be resumed: its messages must be kept for it. */
  get listening(): boolean {
    return (this.#standalone?.length ?? 0) > 0;
  }

  setLogLevel(level: LogLevel): void | Promise<void> {
    return this.#change({ logLevel: level });
  }

  subscribe(uri: string): void | Promise<void> {
    admitSubscription(this.#record.subscriptions, uri);
    return this.#change({ subscribe: uri });
  }

  unsubscribe(uri: string): void | Promise<void> {
    return this.#change({ unsubscribe: uri });
  }

  subscribed(uri: string): boolean {
    return this.#record.subscriptions.includes(uri);
  }

  /** The record as the store has it now: another instance may have changed it. */
  refresh(record: SessionRecord): void {
    this.#record = record;
  }

  /** A stream for one POST: `finish` it with the response. */
  openStream(): SessionStream {
    const streams = (this.#streams ??= new Map<string, SessionStream>());
    const stream = new SessionStream(this.id, this.stores, (finished) => streams.delete(finished.id));
    streams.set(stream.id, stream);
    return stream;
  }

  /** A stream for a GET: unsolicited messages go to the newest attached one. */
  openStandalone(): SessionStream {
    const standalone = (this.#standalone ??= []);
    const stream = new SessionStream(this.id, this.stores, (finished) => {
      const at = standalone.indexOf(finished);
      if (at >= 0) standalone.splice(at, 1);
    });
    standalone.push(stream);
    if (standalone.length > MAX_STANDALONE) standalone[0]?.finish();
    return stream;
  }

  /** Undefined when the id is not of this session, or when what followed it is not kept any more. */
  async resume(lastEventId: string): Promise<Resumption | undefined> {
    const parsed = parseEventId(lastEventId);
    if (parsed === undefined) return undefined;
    const { streamId, seq } = parsed;
    const live = this.#streams?.get(streamId) ?? this.#standalone?.find((stream) => stream.id === streamId);
    if (live !== undefined && seq > live.seq) return undefined;
    const upToDate = live !== undefined && seq === live.seq;
    const missed = upToDate ? [] : await this.stores.events.after(this.id, streamId, seq);
    if (missed === undefined) return undefined;
    return new Resumption(this.id, this.stores.events, streamId, missed, seq, live);
  }

  /**
   * Says something outside any call, on exactly one stream (SESS-14): the newest attached GET stream, else the newest
   * one that may be resumed. False when there is neither.
   */
  say(message: string): boolean {
    const stream = this.#standalone?.findLast((each) => each.attached) ?? this.#standalone?.at(-1);
    stream?.send(message);
    return stream !== undefined;
  }

  /** Ends streams, running requests and questions. The record is the store's. */
  end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.questions.close(reason);
    this.#inFlight?.abortAll(reason);
    for (const stream of [...(this.#standalone ?? [])]) stream.finish();
  }

  #change(change: SessionChange): void | Promise<void> {
    this.#record = changed(this.#record, change);
    return this.stores.sessions.change(this.id, change);
  }
}
