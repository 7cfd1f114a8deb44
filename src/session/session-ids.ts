import { randomUUID } from 'node:crypto';

/** Who wants a session: what a host's `generate` may put into an id, for instance into a signed one. */
export interface SessionOpening {
  readonly identityKey: string | undefined;
  readonly clientName: string;
}

/** The host's own session ids. Each hook is a named question; what is left out keeps the default. */
export interface SessionIds {
  /** A fresh id: visible ASCII, at most 256 characters, unguessable (SESS-02, SESS-04). Default: a random UUID. */
  generate?(opening: SessionOpening): string | Promise<string>;
  /** Asked before the store is: false is an unknown session (404). It can only refuse more than the store does. */
  validate?(id: string, identityKey: string | undefined): boolean | Promise<boolean>;
  /** Called after a client ended its session. */
  terminate?(id: string): void | Promise<void>;
}

/** SESS-02: 0x21 to 0x7E; the bound keeps header-sized junk away from stores. */
const SESSION_ID = /^[\x21-\x7e]{1,256}$/;

export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

/** A fresh id, from the host's `generate` when there is one. Throws when that one is not an id. */
export async function generateSessionId(ids: SessionIds, opening: SessionOpening): Promise<string> {
  // Copied: the platform builds a UUID of two dozen joined pieces, which would all stay in memory with it.
  if (ids.generate === undefined) return Buffer.from(randomUUID(), 'latin1').toString('latin1');
  const id: unknown = await ids.generate(opening);
  if (typeof id === 'string' && isSessionId(id)) return id;
  throw new Error('sessions.ids.generate must answer with 1 to 256 characters of visible ASCII');
}
