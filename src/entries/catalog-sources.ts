import type { Compiled } from './entry-compiler.js';
import type { Exposure } from './exposure.js';
import type { McpCatalogSource } from './mcp-catalog-source.js';
import type { McpEntry } from './mcp-entries.js';
import { checkDefinitions } from '../protocol/catalog/catalog-check.js';
import { Entry, isListed } from '../protocol/catalog/catalog-entries.js';
import { completionIndex } from '../protocol/catalog/catalog.js';
import { Complaints } from '../protocol/complaints.js';
import type { McpContext } from '../protocol/context.js';
import type { McpLogger } from '../protocol/logger.js';
import { REVISIONS } from '../protocol/revisions.js';
import { UnusableEntry, type Made, type Offer } from '../protocol/catalog/sourced-entries.js';

const [NEWEST] = REVISIONS;

/** A source, found for the request of the message. */
export interface SourceFor {
  /** How the log names it. */
  readonly name: string;
  readonly find: (request: object) => McpCatalogSource | Promise<McpCatalogSource>;
}

export interface CatalogSourcesParts {
  readonly sources: readonly SourceFor[];
  readonly compile: (entries: readonly McpEntry[]) => Promise<Compiled>;
  readonly logger: McpLogger;
  readonly expose: Exposure;
}

/** An entry object of the host, and once it was asked for, what became of it. */
class EntryOffer implements Offer {
  #outcome: Made | UnusableEntry | Promise<Made> | undefined;

  constructor(
    readonly kind: Offer['kind'],
    readonly key: string,
    readonly label: string,
    /** Rejects with `UnusableEntry` alone. */
    private readonly compile: (label: string) => Promise<Made>,
  ) {}

  make(): Made | Promise<Made> {
    this.#outcome ??= this.#begin();
    if (this.#outcome instanceof UnusableEntry) throw this.#outcome;
    return this.#outcome;
  }

  #begin(): Promise<Made> {
    const making = this.compile(this.label);
    making.then(
      (made) => (this.#outcome = made),
      (error: UnusableEntry) => (this.#outcome = error),
    );
    return making;
  }
}

/** Asks the sources of the host, and makes of what they give entries like those of the catalog. */
export class CatalogSources {
  readonly #complaints: Complaints;
  readonly #exposed: ReadonlySet<string> | undefined;
  /** By entry object, no longer than the host keeps it. */
  readonly #offers = new WeakMap<object, EntryOffer>();

  constructor(private readonly parts: CatalogSourcesParts) {
    this.#complaints = new Complaints(parts.logger);
    this.#exposed = parts.expose === undefined ? undefined : new Set(parts.expose.tools);
  }

  async offersFor(context: McpContext): Promise<readonly Offer[]> {
    const lists = await Promise.all(this.parts.sources.map((source) => this.#ask(source, context)));
    return lists.flat();
  }

  async #ask({ name, find }: SourceFor, context: McpContext): Promise<readonly Offer[]> {
    const source = await find(context.request as object);
    const entries: unknown = await source.entries(context);
    if (!Array.isArray(entries)) throw new TypeError(`entries() of ${name} must answer with an array`);
    return entries.flatMap((entry: unknown) => this.#offer(entry, name) ?? []);
  }

  #offer(entry: unknown, source: string): Offer | undefined {
    const place = placeOf(entry);
    if (place === undefined) {
      this.#complaints.say(`${source}: something that is no entry is left out`);
      return undefined;
    }
    const { kind, key } = place;
    if (kind === 'tool' && this.#exposed?.has(key) === false) return undefined;
    const given = entry as McpEntry;
    let offer = this.#offers.get(given);
    // Its owner may have changed it since.
    if (offer?.kind !== kind || offer.key !== key) {
      const label = `${source}: ${kind} ${JSON.stringify(key.replaceAll('\n', ' '))}`;
      offer = new EntryOffer(kind, key, label, (name) => this.#compile(given, name));
      this.#offers.set(given, offer);
    }
    return offer;
  }

  async #compile(entry: McpEntry, label: string): Promise<Made> {
    try {
      const { definitions, faults } = await this.parts.compile([entry]);
      const [definition] = definitions;
      if (definition === undefined) throw unusable(label, faults);
      if (!isListed(definition)) return definition;
      const checked = checkDefinitions([definition]);
      if (checked.faults.length > 0) throw unusable(label, checked.faults);
      const made = new Entry(definition);
      // What has no JSON form would break the whole list.
      if (NEWEST !== undefined) made.fragment(NEWEST);
      return made;
    } catch (error) {
      const failed = error instanceof UnusableEntry ? error : new UnusableEntry(`${label} ${messageOf(error)}`);
      this.#complaints.say(`${failed.message}: it is left out`);
      throw failed;
    }
  }
}

function unusable(label: string, faults: readonly { readonly message: string }[]): UnusableEntry {
  return new UnusableEntry(`${label} ${faults.map(({ message }) => message).join('; ')}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Place = Pick<Offer, 'kind' | 'key'>;

/** What the entry is called; undefined when it has no kind or no name. */
function placeOf(entry: unknown): Place | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { kind, name, uri, uriTemplate, prompt, argument } = entry as Readonly<Record<string, unknown>>;
  switch (kind) {
    case 'tool':
    case 'prompt':
      return named(kind, name);
    case 'resource':
      return named(kind, uri);
    case 'template':
      return named(kind, uriTemplate);
    case 'completion': {
      const [type, target] = prompt === undefined ? ['ref/resource', uriTemplate] : ['ref/prompt', prompt];
      if (typeof target !== 'string' || typeof argument !== 'string') return undefined;
      return { kind, key: completionIndex(String(type), target, argument) };
    }
    default:
      return undefined;
  }
}

function named(kind: Offer['kind'], key: unknown): Place | undefined {
  return typeof key === 'string' ? { kind, key } : undefined;
}
