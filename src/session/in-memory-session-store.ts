import { changed, type SessionChange, type SessionRecord, type SessionStore } from './session-store.js';

export interface InMemorySessionStoreOptions {
  /** Idle time after which a session is dead, in ms. Default 1,800,000. */
  readonly idleMs?: number;
  /** Default 10,000; one more ends the session that was idle longest. */
  readonly max?: number;
  /** The clock, in ms since the epoch. */
  readonly now?: () => number;
}

type Kept = { -readonly [Key in keyof SessionRecord]: SessionRecord[Key] };

/** Sessions of one process. The map's order is the order of use, so that expiry and eviction look at its front alone. */
export class InMemorySessionStore implements SessionStore {
  readonly #idleMs: number;
  readonly #max: number;
  readonly #now: () => number;
  readonly #records = new Map<string, Kept>();
  readonly #listeners: ((id: string) => void)[] = [];
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: InMemorySessionStoreOptions = {}) {
    this.#idleMs = options.idleMs ?? 1_800_000;
    this.#max = options.max ?? 10_000;
    this.#now = options.now ?? Date.now;
  }

  get size(): number {
    return this.#records.size;
  }

  create(record: SessionRecord): boolean {
    this.#expire();
    if (this.#records.has(record.id)) return false;
    while (this.#records.size >= this.#max) {
      const [oldest] = this.#records.keys();
      if (oldest === undefined) break;
      this.#drop(oldest);
    }
    this.#records.set(record.id, { ...record });
    this.#startSweep();
    return true;
  }

  load(id: string): SessionRecord | undefined {
    return this.#alive(id);
  }

  touch(id: string): boolean {
    const record = this.#alive(id);
    if (record === undefined) return false;
    record.touchedAt = this.#now();
    this.#records.delete(id);
    this.#records.set(id, record);
    return true;
  }

  change(id: string, change: SessionChange): void {
    const record = this.#alive(id);
    if (record === undefined) return;
    // Replaced in place: setting an existing key keeps the order of use.
    this.#records.set(id, changed(record, change));
  }

  destroy(id: string): boolean {
    const existed = this.#records.delete(id);
    this.#stopSweepWhenEmpty();
    return existed;
  }

  onEnd(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    this.#records.clear();
  }

  #alive(id: string): Kept | undefined {
    const record = this.#records.get(id);
    if (record === undefined) return undefined;
    if (this.#now() - record.touchedAt < this.#idleMs) return record;
    this.#drop(id);
    return undefined;
  }

  #drop(id: string): void {
    this.#records.delete(id);
    for (const listener of this.#listeners) listener(id);
  }

  #expire(): void {
    const deadline = this.#now() - this.#idleMs;
    for (const [id, record] of this.#records) {
      if (record.touchedAt > deadline) break;
      this.#drop(id);
    }
  }

  #startSweep(): void {
    if (this.#sweep !== undefined) return;
    const everyMs = Math.min(Math.max(this.#idleMs / 2, 10), 60_000);
    this.#sweep = setInterval(() => {
      this.#expire();
      this.#stopSweepWhenEmpty();
    }, everyMs);
    this.#sweep.unref();
  }

  #stopSweepWhenEmpty(): void {
    if (this.#records.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}
