import type { McpEntry } from './mcp-entries.js';
import type { McpContext } from '../protocol/context.js';

/**
 * Gives each caller entries of its own, e.g. the tools of a tenant. It is asked once for each message that needs to know
 * what exists, and what it gives is listed, called, read and completed like the rest of the catalog; what it does not
 * give does not exist for that caller. An entry of the catalog comes before one of the same name.
 *
 * Entries are checked as at boot, and compiled once for each entry object: answer with the same objects where that is
 * possible, and share schemas where it is not. An entry that cannot be used is logged and missing from lists; a source
 * that throws fails the request, opaquely. Headers `Mcp-Param-*` of these entries are checked, but not among those that
 * CORS allows: a preflight names no caller.
 */
export interface McpCatalogSource {
  entries(context: McpContext): readonly McpEntry[] | Promise<readonly McpEntry[]>;
}
