import { randomUUID } from 'node:crypto';
import type { McpLogger } from '../protocol/logger.js';
import { eventId, type EventStore } from './event-store.js';

/** One open HTTP answer that a stream is written to. It must not throw; a dead one detaches itself. */
export interface Outlet {
  /** Writes one event with its id. */
  event(data: string, id: string): void;
  /** The stream is over: closes the answer. */
  end(): void;
}

export interface StreamKeeping {
  readonly events: EventStore;
  readonly logger: McpLogger;
}

/**
 * One event stream of a session, which outlives the connections it is written to: while none is attached, messages go
 * on into the event store and wait for a client that comes back (RESM-03).
 */
export class SessionStream {
  /** Unique over the streams of a session, on every instance. */
  readonly id = randomUUID().slice(-12);
  #seq = 0;
  #outlet: Outlet | undefined;
  #finished = false;

  constructor(
    private readonly sessionId: string,
    private readonly keeping: StreamKeeping,
    private readonly onFinish: (stream: SessionStream) => void,
  ) {}

  /** Id of the last event; before the first one, what a priming event says (RESM-05). */
  get position(): string {
    return eventId(this.id, this.#seq);
  }

  get seq(): number {
    return this.#seq;
  }

  get attached(): boolean {
    return this.#outlet !== undefined;
  }

  get finished(): boolean {
    return this.#finished;
  }

  /** Later messages go to this outlet; the one before is closed, so that no message travels twice. */
  attach(outlet: Outlet): void {
    const before = this.#outlet;
    this.#outlet = outlet;
    if (before !== outlet) before?.end();
    if (this.#finished) this.#close();
  }

  /** The connection is lost or was given up: the stream goes on without it. */
  detach(outlet: Outlet): void {
    if (this.#outlet === outlet) this.#outlet = undefined;
  }

  /** Nothing after `finish`. */
  send(data: string): void {
    if (this.#finished) return;
    this.#seq += 1;
    this.#keep(data);
    this.#outlet?.event(data, eventId(this.id, this.#seq));
  }

  /** Says the last word, when there is one, and closes. The events stay for a client that did not get them. */
  finish(data?: string): void {
    if (this.#finished) return;
    if (data !== undefined) this.send(data);
    this.#finished = true;
    this.onFinish(this);
    this.#close();
  }

  /** A failing store costs the client resumption, not the message. */
  #keep(data: string): void {
    const report = (error: unknown): void => this.keeping.logger.error('The event store failed', error);
    try {
      const kept = this.keeping.events.append(this.sessionId, this.id, { seq: this.#seq, data });
      if (kept !== undefined) kept.catch(report);
    } catch (error) {
      report(error);
    }
  }

  #close(): void {
    const outlet = this.#outlet;
    this.#outlet = undefined;
    outlet?.end();
  }
}
