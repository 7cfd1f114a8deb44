/** The part of a writable stream that the transport uses. */
export interface PipeOutput {
  /** False asks to wait for `drain`. */
  write(text: string): boolean;
  on(event: 'drain' | 'error' | 'close', listener: (error?: Error) => void): unknown;
  off(event: 'drain' | 'error' | 'close', listener: (error?: Error) => void): unknown;
}

export interface OutboxEvents {
  /** The reader on the other side is slow: nothing more should be asked of us for now. */
  blocked(): void;
  free(): void;
  /** The other side is gone; nothing can be said any more. */
  broken(): void;
}

/** Writes messages, one a line; those of one turn in one write. */
export class Outbox {
  #queued = '';
  #scheduled = false;
  #blocked = false;
  #broken = false;
  #emptied: (() => void)[] = [];
  readonly #onDrain = (): void => {
    this.#blocked = false;
    this.events.free();
    this.#flush();
  };
  /** EPIPE is how a client that left looks; there is nobody to tell it to. */
  readonly #onBroken = (): void => {
    if (this.#broken) return;
    this.#broken = true;
    this.#queued = '';
    this.#wake();
    this.events.broken();
  };

  constructor(
    private readonly output: PipeOutput,
    private readonly events: OutboxEvents,
  ) {
    output.on('drain', this.#onDrain);
    output.on('error', this.#onBroken);
    output.on('close', this.#onBroken);
  }

  /** Takes one JSON text. */
  send(text: string): void {
    if (this.#broken) return;
    this.#queued += text;
    this.#queued += '\n';
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    // After the promise callbacks of this turn: what they answer goes out together.
    process.nextTick(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  /** Settles when everything was handed over, or cannot be. */
  emptied(): Promise<void> {
    if (this.#broken || (this.#queued === '' && !this.#blocked)) return Promise.resolve();
    return new Promise((resolve) => this.#emptied.push(resolve));
  }

  /** Stops listening. The error listener stays: an error nobody listens to would end the process. */
  release(): void {
    this.output.off('drain', this.#onDrain);
    this.output.off('close', this.#onBroken);
  }

  #flush(): void {
    if (this.#blocked || this.#broken) return;
    const text = this.#queued;
    this.#queued = '';
    if (text !== '' && !this.output.write(text)) {
      this.#blocked = true;
      this.events.blocked();
      return;
    }
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#emptied;
    this.#emptied = [];
    for (const wake of waiting) wake();
  }
}
