import type { McpLogger } from './logger.js';

/** Different messages remembered; then their memory is lost at once. */
const REMEMBERED = 1_000;

/** Says the same thing once: what is wrong with a source is wrong at every request. */
export class Complaints {
  readonly #said = new Set<string>();

  constructor(private readonly logger: McpLogger) {}

  say(message: string): void {
    if (this.#said.has(message)) return;
    if (this.#said.size >= REMEMBERED) this.#said.clear();
    this.#said.add(message);
    this.logger.error(message);
  }
}
