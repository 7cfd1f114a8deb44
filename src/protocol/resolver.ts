import { matcherOf, type Catalog, type Snapshot } from './catalog.js';
import type { Entry, EntryOf, ListedKind } from './catalog-entries.js';
import type { McpContext } from './context.js';
import type { Visibility } from './server-options.js';

export interface MatchedTemplate {
  readonly entry: EntryOf<'template'>;
  readonly variables: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Answers what exists for one caller. List, call, read, get, complete and the header checks all ask here, so what is
 * hidden from one is unknown to all.
 */
export class Resolver {
  constructor(
    readonly catalog: Catalog,
    private readonly visibility: Visibility | undefined,
  ) {}

  /** True when every caller sees the same entries: list pages can be prepared. */
  get uniform(): boolean {
    return this.visibility === undefined;
  }

  /** At once, when every caller sees the same entries. */
  find<K extends ListedKind>(
    kind: K,
    key: string,
    context: McpContext,
  ): EntryOf<K> | undefined | Promise<EntryOf<K> | undefined> {
    const entry = this.catalog.current.sections[kind].find(key) as EntryOf<K> | undefined;
    if (entry === undefined || this.visibility === undefined) return entry;
    const verdict = this.visible(entry, context);
    if (typeof verdict === 'boolean') return verdict ? entry : undefined;
    return Promise.resolve(verdict).then((visible) => (visible ? entry : undefined));
  }

  /** All entries of a kind that this caller sees, sorted by key. */
  async list<K extends ListedKind>(kind: K, context: McpContext): Promise<readonly EntryOf<K>[]> {
    const entries = this.snapshot.sections[kind].entries as readonly EntryOf<K>[];
    return this.seen(entries, context);
  }

  /** Those entries that this caller sees, each judged by itself alone. */
  async seen<E extends Entry>(entries: readonly E[], context: McpContext): Promise<readonly E[]> {
    if (this.visibility === undefined) return entries;
    const seen: E[] = [];
    for (const entry of entries) {
      const verdict = this.visibility(entry, context);
      if (verdict === true || (verdict !== false && (await verdict))) seen.push(entry);
    }
    return seen;
  }

  /** The first template, by key, that matches the uri. */
  async match(uri: string, context: McpContext): Promise<MatchedTemplate | undefined> {
    for (const entry of this.snapshot.sections.template.entries) {
      const variables = matcherOf(entry).match(uri);
      if (variables !== undefined && (await this.visible(entry, context))) return { entry, variables };
    }
    return undefined;
  }

  private get snapshot(): Snapshot {
    return this.catalog.current;
  }

  private visible(entry: Entry, context: McpContext): boolean | Promise<boolean> {
    if (this.visibility === undefined) return true;
    const { key, definition } = entry;
    if (definition.kind === 'resource' && definition.skill !== undefined && definition.skill.of !== key) {
      return this.withSkill(entry, definition.skill.of, context);
    }
    return this.visibility(entry, context);
  }

  /** A supporting file is hidden with its skill. */
  private async withSkill(entry: Entry, uri: string, context: McpContext): Promise<boolean> {
    const skill = this.snapshot.sections.resource.find(uri);
    const judged: readonly Entry[] = skill === undefined ? [entry] : [skill, entry];
    return (await this.seen(judged, context)).length === judged.length;
  }
}
