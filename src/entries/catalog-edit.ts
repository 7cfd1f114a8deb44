import type { McpEntry } from './mcp-entries.js';
import { isListed, keyOf, type ListedKind } from '../protocol/catalog/catalog-entries.js';
import type { Change } from '../protocol/changes.js';
import type { Definition } from '../protocol/catalog/entries.js';

/** One change of a catalog, as the host asked for it. */
export type CatalogEdit =
  | { readonly entries: readonly McpEntry[]; readonly replacing: boolean }
  | { readonly kind: ListedKind; readonly key: string };

/** What a definition is told apart by. */
function identityOf(definition: Definition): string {
  if (isListed(definition)) return `${definition.kind}\n${keyOf(definition)}`;
  const { ref, argument } = definition;
  return `completion\n${ref.type === 'ref/prompt' ? ref.name : ref.uri}\n${argument}`;
}

/** The identity of the skill whose file this is: a skill goes with all its files. */
function skillOf(definition: Definition): string | undefined {
  const skill = definition.kind === 'resource' ? definition.skill : undefined;
  return skill === undefined ? undefined : `resource\n${skill.of}`;
}

/** The definitions with more of them; where `replacing`, those of the same kind and key give way. */
export function extended(
  known: readonly Definition[],
  added: readonly Definition[],
  replacing: boolean,
): readonly Definition[] {
  if (!replacing) return [...known, ...added];
  const identities = new Set(added.map(identityOf));
  const gone = (identity: string | undefined): boolean => identity !== undefined && identities.has(identity);
  return [...known.filter((definition) => !gone(identityOf(definition)) && !gone(skillOf(definition))), ...added];
}

/** The definitions without one. */
export function without(known: readonly Definition[], kind: ListedKind, key: string): readonly Definition[] {
  const gone = `${kind}\n${key}`;
  return known.filter((definition) => identityOf(definition) !== gone && skillOf(definition) !== gone);
}

const CHANGE = { tool: 'tools', resource: 'resources', template: 'resources', prompt: 'prompts' } as const;

/** The lists that a change of these definitions changed, each once. */
export function changesOf(before: readonly Definition[], after: readonly Definition[]): readonly Change[] {
  const [was, is] = [new Set(before), new Set(after)];
  const different = [...before.filter((d) => !is.has(d)), ...after.filter((d) => !was.has(d))];
  const kinds = new Set(different.flatMap((d) => (d.kind === 'completion' ? [] : [CHANGE[d.kind]])));
  return [...kinds].map((kind) => ({ kind }));
}
