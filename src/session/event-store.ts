/** One event of a stream, as it was or would have been sent. */
export interface StoredEvent {
  /** 1 for the first; rises by one. */
  readonly seq: number;
  /** The JSON-RPC message. */
  readonly data: string;
}

/**
 * Keeps what was said on event streams, so that a client which lost one can come back for the rest (RESM-03). The
 * calls for one stream arrive in order; an implementation may settle later, but must keep that order.
 */
export interface EventStore {
  append(sessionId: string, streamId: string, event: StoredEvent): void | Promise<void>;
  /**
   * What followed event `after` on this stream, oldest first; 0 asks for all. Undefined when the stream is unknown, or
   * when a part of the answer was dropped: half a conversation is not replayed.
   */
  after(
    sessionId: string,
    streamId: string,
    after: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** The session ended. */
  drop(sessionId: string): void | Promise<void>;
}

/** RESM-02: the id of an event names its stream. Stream ids are twelve hexadecimal digits. */
export function eventId(streamId: string, seq: number): string {
  return `${streamId}-${seq}`;
}

const EVENT_ID = /^([0-9a-f]{12})-(\d{1,15})$/;

/** Undefined for anything that is not an event id of ours. */
export function parseEventId(text: string): { readonly streamId: string; readonly seq: number } | undefined {
  const match = EVENT_ID.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { streamId: match[1], seq: Number(match[2]) };
}
