import { checkDefinitions, type CatalogReport } from './catalog-check.js';
import { Entry, isListed, type DefinitionByKind, type EntryOf, type ListedKind } from './catalog-entries.js';
import type { CompletionDefinition, Definition, Fault } from './entries.js';
import { findMirroredParameters, type MirroredParameter } from './mirrored-parameters.js';
import { Section } from './section.js';
import { compileUriTemplate, type UriTemplate } from '../uri-templates/uri-template.js';

/** What exists at one moment; immutable. */
export interface Snapshot {
  readonly definitions: readonly Definition[];
  readonly sections: { readonly [K in ListedKind]: Section<DefinitionByKind[K]> };
  readonly completions: ReadonlyMap<string, CompletionDefinition>;
}

/** Entries that cannot be served; `faults` names each with its `Class.method`. */
export class CatalogFault extends Error {
  override readonly name = 'CatalogFault';

  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ source, message }) => `${source}: ${message}`).join('\n'));
  }
}

const templates = new WeakMap<EntryOf<'template'>, UriTemplate>();
const parameters = new WeakMap<EntryOf<'tool'>, readonly MirroredParameter[]>();

/** The compiled matcher of a template entry. */
export function matcherOf(entry: EntryOf<'template'>): UriTemplate {
  const known = templates.get(entry);
  if (known !== undefined) return known;
  const reading = compileUriTemplate(entry.definition.uriTemplate);
  if (!reading.ok) throw new Error(`template ${entry.key}: ${reading.faults.join('; ')}`);
  templates.set(entry, reading.template);
  return reading.template;
}

/** The arguments of a tool that headers repeat (HDR-13). */
export function mirroredOf(entry: EntryOf<'tool'>): readonly MirroredParameter[] {
  const known = parameters.get(entry);
  if (known !== undefined) return known;
  const found = findMirroredParameters(entry.definition.input.wire).parameters;
  parameters.set(entry, found);
  return found;
}

export function completionIndex(type: string, name: string, argument: string): string {
  return `${type}\n${name}\n${argument}`;
}

function section<K extends ListedKind>(
  kind: K,
  definitions: readonly Definition[],
  known?: Section<DefinitionByKind[K]>,
): Section<DefinitionByKind[K]> {
  const entries: EntryOf<K>[] = [];
  for (const definition of definitions) {
    if (!isListed(definition) || definition.kind !== kind) continue;
    // `definition.kind === kind` decides its type; TypeScript does not narrow by a type parameter.
    const entry = new Entry(definition as DefinitionByKind[K]);
    const before = known?.find(entry.key);
    entries.push(before?.definition === definition ? before : entry);
  }
  return new Section(entries);
}

function snapshotOf(definitions: readonly Definition[], known?: Snapshot): Snapshot {
  const completions = new Map<string, CompletionDefinition>();
  for (const definition of definitions) {
    if (definition.kind !== 'completion') continue;
    const { ref, argument } = definition;
    completions.set(completionIndex(ref.type, ref.type === 'ref/prompt' ? ref.name : ref.uri, argument), definition);
  }
  return {
    definitions,
    sections: {
      tool: section('tool', definitions, known?.sections.tool),
      resource: section('resource', definitions, known?.sections.resource),
      template: section('template', definitions, known?.sections.template),
      prompt: section('prompt', definitions, known?.sections.prompt),
    },
    completions,
  };
}

/** What this server offers. The current snapshot is replaced as a whole; requests keep the one they began with. */
export class Catalog {
  #current: Snapshot;

  private constructor(snapshot: Snapshot) {
    this.#current = snapshot;
  }

  /** Checks everything first; with faults, the catalog is not made. */
  static build(definitions: readonly Definition[]): CatalogReport & { readonly catalog?: Catalog } {
    const report = checkDefinitions(definitions);
    if (report.faults.length > 0) return report;
    return { ...report, catalog: new Catalog(snapshotOf(definitions)) };
  }

  get current(): Snapshot {
    return this.#current;
  }

  /** Replaces the whole content, or throws `CatalogFault` and changes nothing. Answers the warnings. */
  replace(definitions: readonly Definition[]): readonly Fault[] {
    const { faults, warnings } = checkDefinitions(definitions);
    if (faults.length > 0) throw new CatalogFault(faults);
    this.#current = snapshotOf(definitions, this.#current);
    return warnings;
  }
}
