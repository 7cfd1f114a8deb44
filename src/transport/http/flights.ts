import type { Flight } from '../../session/in-flight.js';

/** The requests that this endpoint is serving, of every client: shutdown waits for them, then ends them. */
export class Flights {
  readonly #all = new Set<Flight>();
  /** Those that never end by themselves. */
  readonly #listening = new Set<Flight>();
  #landed: (() => void) | undefined;

  get size(): number {
    return this.#all.size;
  }

  began(flight: Flight, listening: boolean): void {
    this.#all.add(flight);
    if (listening) this.#listening.add(flight);
  }

  ended(flight: Flight): void {
    this.#all.delete(flight);
    this.#listening.delete(flight);
    if (this.#all.size === 0) this.#landed?.();
  }

  abortListening(reason: Error): void {
    for (const flight of this.#listening) flight.abort(reason);
  }

  abortAll(reason: Error): void {
    for (const flight of this.#all) flight.abort(reason);
  }

  /** Settles when nothing is being served, at the latest after `ms`. */
  async landed(ms: number): Promise<void> {
    if (this.#all.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#landed = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}
