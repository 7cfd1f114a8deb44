import type { McpEntry } from './mcp-entries.js';
import type { McpRegistration } from '../assembly/mcp-registration.js';
import type { ListedKind } from '../protocol/catalog/catalog-entries.js';

/** One listed entry, as the host sees it. */
export interface McpCatalogItem {
  readonly kind: ListedKind;
  /** Name of a tool or prompt, uri of a resource, uriTemplate of a template. */
  readonly key: string;
  /** `Class.method`, or what names a programmatic entry. */
  readonly source: string;
  readonly title?: string;
  readonly description?: string;
}

/**
 * What a server offers, and how to change it while the application runs. Clients are told of every change. Before the
 * application has started, changes wait for the start, and their faults are reported with all others.
 */
export class McpCatalog {
  constructor(private readonly registration: () => Pick<McpRegistration, 'edit' | 'remove' | 'items'>) {}

  /** Adds entries: all of them, or with a `CatalogFault` none, e.g. when one of them exists already. */
  add(entries: readonly McpEntry[]): Promise<void> {
    return this.registration().edit({ entries, replacing: false });
  }

  /** Like `add`, but an entry of the same kind and key gives way. */
  replace(entries: readonly McpEntry[]): Promise<void> {
    return this.registration().edit({ entries, replacing: true });
  }

  /** Removes an entry, decorated or not. False when there was none; before the start it is not known yet: true. */
  remove(kind: ListedKind, key: string): boolean {
    return this.registration().remove(kind, key);
  }

  /** Everything offered, whoever may see it, sorted by kind and key; empty before the application has started. */
  list(): readonly McpCatalogItem[] {
    return this.registration().items();
  }
}
