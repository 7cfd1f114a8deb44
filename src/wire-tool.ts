import { describeTool } from './discovery/definitions.js';
import { DiscoveryFault } from './discovery/discovery-fault.js';
import type { McpToolEntry } from './entries/mcp-entries.js';
import { Catalog, CatalogFault } from './protocol/catalog/catalog.js';
import { Entry } from './protocol/catalog/catalog-entries.js';
import type { ToolDefinition } from './protocol/catalog/entries.js';
import { REVISIONS, type RevisionName } from './protocol/revisions.js';
import { SchemaFault } from './schema/schema-fault.js';

/**
 * A tool as `tools/list` shows it to a client of this revision (default: the newest), e.g. for a snapshot. Takes an entry
 * for `McpModule.forFeature`, or one of the catalog, as `visibility` gets it. Throws `CatalogFault` when it is no tool that
 * could be offered.
 */
export function toWireTool(tool: McpToolEntry | Entry, revision?: RevisionName): Record<string, unknown> {
  const [newest] = REVISIONS;
  const shown = revision === undefined ? newest : REVISIONS.find(({ name }) => name === revision);
  if (shown === undefined) throw new TypeError(`There is no protocol revision ${JSON.stringify(revision)}`);
  const entry = tool instanceof Entry ? tool : entryOf(tool);
  if (entry.kind !== 'tool') throw new CatalogFault([{ source: entry.definition.source, message: 'is not a tool' }]);
  return JSON.parse(entry.fragment(shown)) as Record<string, unknown>;
}

function entryOf(tool: McpToolEntry): Entry {
  const source = `tool "${tool.name}"`;
  const { faults, catalog } = Catalog.build([definitionOf(tool, source)]);
  const found = catalog?.current.sections.tool.find(tool.name);
  if (found === undefined) throw new CatalogFault(faults);
  return found;
}

function definitionOf({ kind: _kind, handler: _handler, ...options }: McpToolEntry, source: string): ToolDefinition {
  try {
    const parts = { source, name: options.name, parameters: [], prototype: Object.prototype, key: 'handler' };
    // Nobody calls it.
    return { ...describeTool(options, parts), handler: () => undefined };
  } catch (error) {
    if (!(error instanceof DiscoveryFault || error instanceof SchemaFault)) throw error;
    throw new CatalogFault([{ source, message: error.message }]);
  }
}
