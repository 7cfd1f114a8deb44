import type { Entry, ListedDefinition } from './catalog-entries.js';

/** The entries of one kind, sorted by key; immutable. */
export class Section<D extends ListedDefinition> {
  readonly entries: readonly Entry<D>[];
  readonly #byKey: ReadonlyMap<string, Entry<D>>;

  constructor(entries: Iterable<Entry<D>>) {
    this.entries = [...entries].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#byKey = new Map(this.entries.map((entry) => [entry.key, entry]));
  }

  find(key: string): Entry<D> | undefined {
    return this.#byKey.get(key);
  }
}

/** Index of the first entry after `key`: keyset paging never skips an entry that stays (PAGE-03). */
export function startAfter(entries: readonly { readonly key: string }[], key: string | undefined): number {
  if (key === undefined) return 0;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && entry.key <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
