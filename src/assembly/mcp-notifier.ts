import type { McpRegistration } from './mcp-registration.js';
import type { Change } from '../protocol/changes.js';

/**
 * Tells clients that something changed which the catalog does not know of, e.g. the content of a resource. Changes
 * through `McpCatalog` are told without it. Before the application has started nobody listens.
 */
export class McpNotifier {
  constructor(private readonly registration: () => Pick<McpRegistration, 'publish'>) {}

  /** What `tools/list` answers is different now. */
  toolsChanged(): void {
    this.#publish({ kind: 'tools' });
  }

  /** What `prompts/list` answers is different now. */
  promptsChanged(): void {
    this.#publish({ kind: 'prompts' });
  }

  /** What `resources/list` or `resources/templates/list` answers is different now. */
  resourcesChanged(): void {
    this.#publish({ kind: 'resources' });
  }

  /** The content of this resource is different now; subscribers are told. */
  resourceUpdated(uri: string): void {
    this.#publish({ kind: 'resource', uri });
  }

  #publish(change: Change): void {
    this.registration().publish(change);
  }
}
