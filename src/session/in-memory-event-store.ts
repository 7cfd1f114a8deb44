import type { EventStore, StoredEvent } from './event-store.js';

export interface InMemoryEventStoreOptions {
  /** Events kept for one session. Default 1,000. */
  readonly maxEvents?: number;
  /** Characters kept for one session. Default 1,048,576. */
  readonly maxChars?: number;
  /** Characters kept for all sessions together. Default 67,108,864. */
  readonly maxTotalChars?: number;
}

interface Kept extends StoredEvent {
  readonly streamId: string;
}

interface SessionLog {
  /** Oldest first, over all streams. */
  readonly events: Kept[];
  chars: number;
}

/** The events of this process, the oldest dropped first. A session that never streams has no log. */
export class InMemoryEventStore implements EventStore {
  readonly #maxEvents: number;
  readonly #maxChars: number;
  readonly #maxTotalChars: number;
  /** In the order of their last event. */
  readonly #logs = new Map<string, SessionLog>();
  #totalChars = 0;

  constructor(options: InMemoryEventStoreOptions = {}) {
    this.#maxEvents = options.maxEvents ?? 1_000;
    this.#maxChars = options.maxChars ?? 1_048_576;
    this.#maxTotalChars = options.maxTotalChars ?? 67_108_864;
  }

  /** Characters kept now. */
  get chars(): number {
    return this.#totalChars;
  }

  append(sessionId: string, streamId: string, event: StoredEvent): void {
    const log: SessionLog = this.#logs.get(sessionId) ?? { events: [], chars: 0 };
    this.#logs.delete(sessionId);
    this.#logs.set(sessionId, log);
    log.events.push({ streamId, seq: event.seq, data: event.data });
    log.chars += event.data.length;
    this.#totalChars += event.data.length;
    this.#trim(log);
    for (const quietest of this.#logs.keys()) {
      if (this.#totalChars <= this.#maxTotalChars) break;
      this.drop(quietest);
    }
  }

  after(sessionId: string, streamId: string, after: number): readonly StoredEvent[] | undefined {
    const log = this.#logs.get(sessionId);
    if (log === undefined) return undefined;
    const kept = log.events.filter((event) => event.streamId === streamId);
    const first = kept[0];
    if (first === undefined || first.seq > after + 1) return undefined;
    return kept.filter((event) => event.seq > after);
  }

  drop(sessionId: string): void {
    const log = this.#logs.get(sessionId);
    if (log === undefined) return;
    this.#logs.delete(sessionId);
    this.#totalChars -= log.chars;
  }

  #trim(log: SessionLog): void {
    let gone = 0;
    while (log.events.length - gone > this.#maxEvents || log.chars > this.#maxChars) {
      const event = log.events[gone];
      if (event === undefined) break;
      gone += 1;
      log.chars -= event.data.length;
      this.#totalChars -= event.data.length;
    }
    if (gone > 0) log.events.splice(0, gone);
  }
}
