import { setMaxListeners } from 'node:events';
import { CallCancelled, type RequestId } from '../protocol/call.js';

/** One request being served. The abort controller is made when somebody first looks at the signal. */
export class Flight {
  /** Called once, when the client cancels. */
  onCancel: (() => void) | undefined;
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #ended = false;

  constructor(
    readonly id: RequestId,
    /** `initialize` cannot be cancelled (CANC-06). */
    readonly cancellable = true,
  ) {}

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // Each question of a call listens, and whatever its handler does at once: that many are no leak.
      setMaxListeners(0, this.#controller.signal);
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** True when the client takes no answer any more (CANC-04). */
  get cancelled(): boolean {
    return this.#reason instanceof CallCancelled;
  }

  /** False when nothing may be said for this request any more: it was answered, or cancelled (PROG-05, CANC-04). */
  get open(): boolean {
    return !this.#ended && !this.cancelled;
  }

  end(): void {
    this.#ended = true;
  }

  /** The first reason stays. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    if (this.cancelled) this.onCancel?.();
  }
}

/**
 * The requests of one client that have no answer yet, by id. `1` and `"1"` are different ids (BASE-04). What a
 * cancellation can reach is what is in here, so it never crosses sessions (CANC-08).
 */
export class InFlight {
  readonly #flights = new Map<RequestId, Flight>();
  #landed: (() => void)[] = [];

  get size(): number {
    return this.#flights.size;
  }

  /** Undefined when a request with this id is being served already: the first one keeps the id. */
  begin(id: RequestId, cancellable = true): Flight | undefined {
    if (this.#flights.has(id)) return undefined;
    const flight = new Flight(id, cancellable);
    this.#flights.set(id, flight);
    return flight;
  }

  /** The request was answered, or never will be. */
  end(flight: Flight): void {
    flight.end();
    if (this.#flights.get(flight.id) === flight) this.#remove(flight.id);
  }

  /**
   * Takes `params` of `notifications/cancelled`; malformed ones and unknown ids are ignored (CANC-02). The id is free
   * again at once, however long the handler takes to notice.
   */
  cancel(params: Readonly<Record<string, unknown>>): boolean {
    const id = params['requestId'];
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    const flight = this.#flights.get(id);
    if (flight === undefined || !flight.cancellable) return false;
    this.#remove(id);
    flight.abort(new CallCancelled('The client cancelled the request'));
    return true;
  }

  abortAll(reason: Error): void {
    for (const flight of [...this.#flights.values()]) flight.abort(reason);
  }

  /** Settles when nothing is being served. */
  landed(): Promise<void> {
    if (this.#flights.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#landed.push(resolve));
  }

  #remove(id: RequestId): void {
    this.#flights.delete(id);
    if (this.#flights.size > 0 || this.#landed.length === 0) return;
    const waiting = this.#landed;
    this.#landed = [];
    for (const wake of waiting) wake();
  }
}
