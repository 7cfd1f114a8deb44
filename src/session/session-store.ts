import type { ClientCapabilities, Implementation, LogLevel } from '../protocol/call.js';
import type { RevisionName } from '../protocol/revisions.js';

/** What is remembered of one handshake-era client. Plain data: any instance can serve the session from it. */
export interface SessionRecord {
  /** Visible ASCII, at most 256 characters (SESS-02). */
  readonly id: string;
  /** Who opened it; undefined is an anonymous caller. Nobody else may use it (SESS-05). */
  readonly identityKey: string | undefined;
  readonly revision: RevisionName;
  readonly clientInfo: Implementation;
  readonly clientCapabilities: ClientCapabilities;
  readonly logLevel: LogLevel | undefined;
  /** Uris of `resources/subscribe`. */
  readonly subscriptions: readonly string[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch; idle time counts from here. */
  readonly touchedAt: number;
}

/** One change, so that a store can apply it without losing another instance's. */
export type SessionChange =
  { readonly logLevel: LogLevel } | { readonly subscribe: string } | { readonly unsubscribe: string };

/** Where sessions are kept. Idle expiry and the cap on sessions are the store's. */
export interface SessionStore {
  /** False when the id is taken: a record is never overwritten. */
  create(record: SessionRecord): boolean | Promise<boolean>;
  /** Undefined when unknown, ended or expired. Does not count as use. */
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  /** The session was used: its idle time starts again. False when it does not exist any more. */
  touch(id: string): boolean | Promise<boolean>;
  /** Unknown ids are ignored. */
  change(id: string, change: SessionChange): void | Promise<void>;
  /** False when there was none. */
  destroy(id: string): boolean | Promise<boolean>;
  /** Tells of sessions which the store ended by itself; a store that cannot know leaves it out. */
  onEnd?(listener: (id: string) => void): void;
}

/** The record after one change; the same object when nothing changes. */
export function changed(record: SessionRecord, change: SessionChange): SessionRecord {
  if ('logLevel' in change) return { ...record, logLevel: change.logLevel };
  if ('subscribe' in change) {
    if (record.subscriptions.includes(change.subscribe)) return record;
    return { ...record, subscriptions: [...record.subscriptions, change.subscribe] };
  }
  if (!record.subscriptions.includes(change.unsubscribe)) return record;
  return { ...record, subscriptions: record.subscriptions.filter((uri) => uri !== change.unsubscribe) };
}
