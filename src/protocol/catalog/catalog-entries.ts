import type {
  Definition,
  PromptDefinition,
  ResourceDefinition,
  TemplateDefinition,
  ToolDefinition,
} from './entries.js';
import type { Revision } from '../revisions.js';
import { wellFormed } from '../results/encoder.js';
import { toWirePrompt, toWireResource, toWireTemplate, toWireTool } from './wire-entries.js';

export interface DefinitionByKind {
  tool: ToolDefinition;
  resource: ResourceDefinition;
  template: TemplateDefinition;
  prompt: PromptDefinition;
}

export type ListedKind = keyof DefinitionByKind;
export type ListedDefinition = DefinitionByKind[ListedKind];
/** The entry of one kind. */
export type EntryOf<K extends ListedKind> = Entry<DefinitionByKind[K]>;

/** The key that lists are sorted and paged by. */
export function keyOf(definition: ListedDefinition): string {
  switch (definition.kind) {
    case 'resource':
      return definition.uri;
    case 'template':
      return definition.uriTemplate;
    default:
      return definition.name;
  }
}

export function isListed(definition: Definition): definition is ListedDefinition {
  return definition.kind !== 'completion';
}

function wireOf(definition: ListedDefinition, revision: Revision): Record<string, unknown> {
  switch (definition.kind) {
    case 'tool':
      return toWireTool(definition, revision);
    case 'resource':
      return toWireResource(definition, revision);
    case 'template':
      return toWireTemplate(definition, revision);
    case 'prompt':
      return toWirePrompt(definition, revision);
  }
}

/** One entry of the catalog: what is listed and what is called are the same object. */
export class Entry<D extends ListedDefinition = ListedDefinition> {
  readonly key: string;
  readonly #fragments = new Map<Revision, string>();

  constructor(readonly definition: D) {
    this.key = keyOf(definition);
  }

  get kind(): D['kind'] {
    return this.definition.kind;
  }

  /** The entry as JSON text, as this revision lists it. Made once. */
  fragment(revision: Revision): string {
    let text = this.#fragments.get(revision);
    if (text === undefined) {
      text = JSON.stringify(wireOf(this.definition, revision), (_key, value: unknown) =>
        typeof value === 'string' ? wellFormed(value) : value,
      );
      this.#fragments.set(revision, text);
    }
    return text;
  }
}
