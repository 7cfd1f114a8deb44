import { completionIndex, type Snapshot } from './catalog.js';
import type { EntryOf, Entry, ListedKind } from './catalog-entries.js';
import type { Complaints } from '../complaints.js';
import type { McpContext } from '../context.js';
import type { CompletionDefinition, Definition } from './entries.js';
import { byKey } from './section.js';

export type Made = Entry | CompletionDefinition;

/** What a source offers to one caller: its place is known, the rest is made when it is needed. */
export interface Offer {
  readonly kind: Definition['kind'];
  /** As `keyOf` has it; of a completion, its index. */
  readonly key: string;
  /** How the log names it. */
  readonly label: string;
  /** The same entry each time. Throws or rejects with `UnusableEntry`. */
  make(): Made | Promise<Made>;
}

/** Everything that is offered to one caller beside the catalog; asked once for each message. */
export type Sources = (context: McpContext) => Promise<readonly Offer[]>;

/** An entry of a source that fails a check of the catalog. */
export class UnusableEntry extends Error {
  override readonly name = 'UnusableEntry';
}

function inCatalog({ sections, completions }: Snapshot, { kind, key }: Offer): boolean {
  return kind === 'completion' ? completions.has(key) : sections[kind].find(key) !== undefined;
}

/** The entries that exist for one message, beside those of the catalog. */
export class SourcedEntries {
  readonly #offers: { readonly [K in Offer['kind']]: Map<string, Offer> } = {
    tool: new Map(),
    resource: new Map(),
    template: new Map(),
    prompt: new Map(),
    completion: new Map(),
  };

  /** The catalog wins, then whoever came first. */
  constructor(offers: readonly Offer[], snapshot: Snapshot, complaints: Complaints) {
    for (const offer of offers) {
      const known = this.#offers[offer.kind];
      if (inCatalog(snapshot, offer)) complaints.say(`${offer.label} is left out: the catalog has it already`);
      else if (known.has(offer.key)) complaints.say(`${offer.label} is left out: it was offered before`);
      else known.set(offer.key, offer);
    }
  }

  /** Throws or rejects with `UnusableEntry`. */
  find<K extends ListedKind>(kind: K, key: string): EntryOf<K> | undefined | Promise<EntryOf<K> | undefined> {
    // An offer makes an entry of its own kind.
    return this.#offers[kind].get(key)?.make() as EntryOf<K> | undefined | Promise<EntryOf<K>>;
  }

  /** All usable ones of a kind, sorted by key. */
  async list<K extends ListedKind>(kind: K): Promise<readonly EntryOf<K>[]> {
    const entries: EntryOf<K>[] = [];
    for (const offer of this.#offers[kind].values()) {
      try {
        const made = offer.make();
        entries.push((made instanceof Promise ? await made : made) as EntryOf<K>);
      } catch (error) {
        if (!(error instanceof UnusableEntry)) throw error;
      }
    }
    return entries.sort(byKey);
  }

  async completion(type: string, name: string, argument: string): Promise<CompletionDefinition | undefined> {
    const made = await this.#offers.completion.get(completionIndex(type, name, argument))?.make();
    return made as CompletionDefinition | undefined;
  }
}
