/** Settles one answer: its text, or undefined when the request gets none. */
export type Settle = (text: string | undefined) => void;

interface Place {
  settled: boolean;
  text: string | undefined;
}

/** Lets answers out in the order of their requests. */
export class AnswerOrder {
  readonly #places: Place[] = [];

  constructor(private readonly send: (text: string) => void) {}

  /** A place behind those reserved before. */
  reserve(): Settle {
    const place: Place = { settled: false, text: undefined };
    this.#places.push(place);
    return (text) => {
      place.settled = true;
      place.text = text;
      this.#release();
    };
  }

  #release(): void {
    let first = this.#places[0];
    while (first?.settled === true) {
      this.#places.shift();
      if (first.text !== undefined) this.send(first.text);
      first = this.#places[0];
    }
  }
}
