/** Remembers which sealed states were used up (MRTR-10). Shared by the instances that share `stateKeys`. */
export interface NonceStore {
  /** True exactly once for an id. It may be forgotten after `expiresAt` (ms since the epoch). */
  spend(id: string, expiresAt: number): boolean | Promise<boolean>;
  /** Whether it was spent, without spending it. */
  isSpent(id: string): boolean | Promise<boolean>;
}

export interface InMemoryNonceStoreOptions {
  /** Ids kept at once. Default 100,000. */
  readonly max?: number;
  /** The clock, in ms since the epoch. */
  readonly now?: () => number;
}

/**
 * Nonces of one process. Full of unexpired ids it refuses to spend: forgetting one would let a consent be used twice.
 */
export class InMemoryNonceStore implements NonceStore {
  readonly #max: number;
  readonly #now: () => number;
  /** Expiry by id. */
  readonly #spent = new Map<string, number>();

  constructor(options: InMemoryNonceStoreOptions = {}) {
    this.#max = options.max ?? 100_000;
    this.#now = options.now ?? Date.now;
  }

  get size(): number {
    return this.#spent.size;
  }

  spend(id: string, expiresAt: number): boolean {
    if (this.#spent.has(id)) return false;
    this.#forgetFront();
    if (this.#spent.size >= this.#max) this.#forgetAll();
    if (this.#spent.size >= this.#max) return false;
    this.#spent.set(id, expiresAt);
    return true;
  }

  isSpent(id: string): boolean {
    return this.#spent.has(id);
  }

  /** Ids are spent roughly in the order they expire, so the front is where the expired ones gather. */
  #forgetFront(): void {
    const now = this.#now();
    for (const [id, expiresAt] of this.#spent) {
      if (expiresAt > now) return;
      this.#spent.delete(id);
    }
  }

  #forgetAll(): void {
    const now = this.#now();
    for (const [id, expiresAt] of this.#spent) {
      if (expiresAt <= now) this.#spent.delete(id);
    }
  }
}
