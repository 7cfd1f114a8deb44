import { CallContext } from '../call-context.js';
import { completionIndex, matcherOf, type Catalog, type Snapshot } from './catalog.js';
import type { Entry, EntryOf, ListedKind } from './catalog-entries.js';
import { Complaints } from '../complaints.js';
import type { McpContext } from '../context.js';
import type { CompletionDefinition } from './entries.js';
import { byKey } from './section.js';
import type { ServerOptions } from '../server-options.js';
import { SourcedEntries, UnusableEntry } from './sourced-entries.js';

export interface MatchedTemplate {
  readonly entry: EntryOf<'template'>;
  readonly variables: Readonly<Record<string, string | readonly string[]>>;
}

type ResolverOptions = Pick<ServerOptions, 'catalog' | 'visibility' | 'sources' | 'logger'>;

/**
 * Answers what exists for one caller. List, call, read, get, complete and the header checks all ask here, so what is
 * hidden from one is unknown to all.
 */
export class Resolver {
  readonly catalog: Catalog;
  private readonly visibility: ServerOptions['visibility'];
  private readonly sources: ServerOptions['sources'];
  private readonly complaints: Complaints;
  /** By message: its headers are checked against the same entries that answer it. */
  private readonly sourced = new WeakMap<object, Promise<SourcedEntries>>();

  constructor({ catalog, visibility, sources, logger }: ResolverOptions) {
    this.catalog = catalog;
    this.visibility = visibility;
    this.sources = sources;
    this.complaints = new Complaints(logger);
  }

  /** True when every caller sees the same entries: list pages can be prepared. */
  get uniform(): boolean {
    return this.visibility === undefined && this.sources === undefined;
  }

  /** At once, when every caller sees the same entries. */
  find<K extends ListedKind>(
    kind: K,
    key: string,
    context: McpContext,
  ): EntryOf<K> | undefined | Promise<EntryOf<K> | undefined> {
    const entry = this.catalog.current.sections[kind].find(key) as EntryOf<K> | undefined;
    if (entry === undefined) return this.sources === undefined ? undefined : this.findSourced(kind, key, context);
    if (this.visibility === undefined) return entry;
    const verdict = this.visible(entry, context);
    if (typeof verdict === 'boolean') return verdict ? entry : undefined;
    return Promise.resolve(verdict).then((visible) => (visible ? entry : undefined));
  }

  /** All entries of a kind that this caller sees, sorted by key. */
  async list<K extends ListedKind>(kind: K, context: McpContext): Promise<readonly EntryOf<K>[]> {
    const section = this.snapshot.sections[kind];
    const entries = section.entries as readonly EntryOf<K>[];
    if (this.sources === undefined) return this.seen(entries, context);
    const sourced = await (await this.sourcedFor(context)).list(kind);
    const added = sourced.filter(({ key }) => section.find(key) === undefined);
    return this.seen(added.length === 0 ? entries : [...entries, ...added].sort(byKey), context);
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

  /** The first template, by key, that matches the uri; those of the catalog come first. */
  async match(uri: string, context: McpContext): Promise<MatchedTemplate | undefined> {
    const own = await this.matchAmong(this.snapshot.sections.template.entries, uri, context);
    if (own !== undefined || this.sources === undefined) return own;
    return this.matchAmong(await (await this.sourcedFor(context)).list('template'), uri, context);
  }

  /** What completes an argument of a prompt or a variable of a template, which this caller sees. */
  async completion(
    { type, name, argument }: { readonly type: string; readonly name: string; readonly argument: string },
    context: McpContext,
  ): Promise<CompletionDefinition | undefined> {
    const own = this.snapshot.completions.get(completionIndex(type, name, argument));
    if (own !== undefined || this.sources === undefined) return own;
    return (await this.sourcedFor(context)).completion(type, name, argument);
  }

  private async matchAmong(
    entries: readonly EntryOf<'template'>[],
    uri: string,
    context: McpContext,
  ): Promise<MatchedTemplate | undefined> {
    for (const entry of entries) {
      const variables = matcherOf(entry).match(uri);
      if (variables !== undefined && (await this.visible(entry, context))) return { entry, variables };
    }
    return undefined;
  }

  private async findSourced<K extends ListedKind>(
    kind: K,
    key: string,
    context: McpContext,
  ): Promise<EntryOf<K> | undefined> {
    try {
      const entry = await (await this.sourcedFor(context)).find(kind, key);
      return entry !== undefined && (await this.visible(entry, context)) ? entry : undefined;
    } catch (error) {
      // Whether this caller may see it cannot be asked, so it must look like nothing.
      if (error instanceof UnusableEntry && this.visibility !== undefined) return undefined;
      throw error;
    }
  }

  private sourcedFor(context: McpContext): Promise<SourcedEntries> {
    const message = context instanceof CallContext ? context.call : context;
    let found = this.sourced.get(message);
    if (found === undefined) this.sourced.set(message, (found = this.gather(context)));
    return found;
  }

  private async gather(context: McpContext): Promise<SourcedEntries> {
    const offers = (await this.sources?.(context)) ?? [];
    return new SourcedEntries(offers, this.snapshot, this.complaints);
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
