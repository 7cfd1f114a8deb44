/** Different texts remembered; then the one not asked for longest is forgotten. */
const TEXTS = 500;

/** What was made of a text, made once: schemas are often written where they are handed out. */
export class Remembered<T> {
  readonly #byText = new Map<string, T>();

  get(text: string, make: () => T): T {
    let known = this.#byText.get(text);
    if (known === undefined) {
      known = make();
      const oldest = this.#byText.size < TEXTS ? undefined : this.#byText.keys().next().value;
      if (oldest !== undefined) this.#byText.delete(oldest);
    } else {
      this.#byText.delete(text);
    }
    this.#byText.set(text, known);
    return known;
  }
}
