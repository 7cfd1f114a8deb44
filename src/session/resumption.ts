import { eventId, type EventStore, type StoredEvent } from './event-store.js';
import type { Outlet, SessionStream } from './session-stream.js';

/** A stream whose client came back with `Last-Event-ID`: replays what it missed and goes on (RESM-03). */
export class Resumption {
  constructor(
    private readonly sessionId: string,
    private readonly store: EventStore,
    readonly streamId: string,
    private readonly missed: readonly StoredEvent[],
    private readonly from: number,
    /** Undefined when the stream is over, or runs on another instance. */
    private readonly live: SessionStream | undefined,
  ) {}

  /**
   * Writes the missed events and attaches the outlet, or ends it when nothing more will come. Messages that arrive
   * while the store is read are read too, so that none is lost or told twice.
   */
  async connect(outlet: Outlet): Promise<void> {
    let position = this.#replay(outlet, this.missed, this.from);
    while (this.live !== undefined && position < this.live.seq) {
      const more = await this.store.after(this.sessionId, this.streamId, position);
      if (more === undefined || more.length === 0) break;
      position = this.#replay(outlet, more, position);
    }
    if (this.live === undefined || position < this.live.seq) outlet.end();
    else this.live.attach(outlet);
  }

  /** The connection is lost: the stream goes on without it. */
  disconnect(outlet: Outlet): void {
    this.live?.detach(outlet);
  }

  #replay(outlet: Outlet, events: readonly StoredEvent[], from: number): number {
    let position = from;
    for (const event of events) {
      outlet.event(event.data, eventId(this.streamId, event.seq));
      position = event.seq;
    }
    return position;
  }
}
