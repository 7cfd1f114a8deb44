import type { Definition } from '../protocol/catalog/entries.js';

/** What is offered of a server: everything, or of its tools those that are named. Unknown names mean nothing. */
export type Exposure = { readonly tools: readonly string[] } | undefined;

/** The definitions that are offered; the others might as well not exist. */
export function exposed(definitions: readonly Definition[], exposure: Exposure): readonly Definition[] {
  if (exposure === undefined) return definitions;
  const names = new Set(exposure.tools);
  return definitions.filter((definition) => definition.kind !== 'tool' || names.has(definition.name));
}
