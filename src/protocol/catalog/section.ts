import type { Entry, ListedDefinition } from './catalog-entries.js';

/** Supporting files of skills are found by their uri: a list of all of them would be read by nobody. */
function isSupportingFile({ key, definition }: Entry): boolean {
  return definition.kind === 'resource' && definition.skill !== undefined && definition.skill.of !== key;
}

/** The order of every list. */
export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** The entries of one kind, sorted by key; immutable. */
export class Section<D extends ListedDefinition> {
  /** What lists show. */
  readonly entries: readonly Entry<D>[];
  /** What can be found. */
  readonly all: readonly Entry<D>[];
  readonly #byKey: ReadonlyMap<string, Entry<D>>;

  constructor(entries: Iterable<Entry<D>>) {
    this.all = [...entries].sort(byKey);
    this.entries = this.all.filter((entry) => !isSupportingFile(entry));
    this.#byKey = new Map(this.all.map((entry) => [entry.key, entry]));
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
