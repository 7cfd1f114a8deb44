import type { Outcome } from '../../protocol/call.js';
import type { Flight } from '../../session/in-flight.js';

/** Where the answer to a request goes. */
export interface Unanswered {
  respond(outcome: Outcome): void;
}

/** The requests that this endpoint is serving, of every client: shutdown waits for them, then ends them. */
export class Flights {
  readonly #all = new Map<Flight, Unanswered>();
  /** Those that never end by themselves. */
  readonly #listening = new Set<Flight>();
  #landed: (() => void) | undefined;

  get size(): number {
    return this.#all.size;
  }

  began(flight: Flight, answer: Unanswered, listening: boolean): void {
    this.#all.set(flight, answer);
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
    for (const flight of this.#all.keys()) flight.abort(reason);
  }

  /** Answers for those that do not: an application waits for open answers, for as long as it takes. */
  answerAll(outcomeOf: (flight: Flight) => Outcome): void {
    for (const [flight, answer] of [...this.#all]) {
      flight.end();
      answer.respond(outcomeOf(flight));
    }
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
