import type { Change, ChangeBus, ChangeListener } from '../protocol/changes.js';
import type { McpLogger } from '../protocol/logger.js';

/** The default bus: changes reach the listeners of this process. */
export class InProcessChangeBus implements ChangeBus {
  readonly #listeners = new Set<ChangeListener>();

  constructor(private readonly logger: Pick<McpLogger, 'error'>) {}

  publish(change: Change): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.logger.error('A listener of the change bus threw', error);
      }
    }
  }

  subscribe(listener: ChangeListener): () => void {
    // A wrapper of its own: the same function subscribed twice is two subscriptions.
    const own: ChangeListener = (change) => listener(change);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }
}
