import type { ChangeBus } from '../changes.js';

/** Waits for changes of one task: those the bus tells of, and those seen by looking again after a while. */
export class TaskWatch {
  readonly #unsubscribe: () => void;
  readonly #stir = (): void => {
    this.#stirred = true;
    this.#wake?.();
  };
  #stirred = false;
  #wake: (() => void) | undefined;

  constructor(
    bus: ChangeBus,
    id: string,
    private readonly signal: AbortSignal,
    private readonly after: (run: () => void) => () => void,
  ) {
    this.#unsubscribe = bus.subscribe((change) => {
      if (change.kind === 'task' && change.id === id) this.#stir();
    });
    signal.addEventListener('abort', this.#stir, { once: true });
  }

  /** Settles when the task may have changed since the last time, or when the waiting call ends. */
  async next(): Promise<void> {
    if (!this.#stirred && !this.signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const callOff = this.after(this.#stir);
      await woken;
      callOff();
    }
    this.#stirred = false;
  }

  close(): void {
    this.#unsubscribe();
    this.signal.removeEventListener('abort', this.#stir);
  }
}
