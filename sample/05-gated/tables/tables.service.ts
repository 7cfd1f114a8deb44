import { Injectable } from '@nestjs/common';
import { McpArg, mcpResult, McpTool, McpToolError, type McpResult } from 'nestjs-mcp';

const TABLE = { type: 'object', properties: { name: { type: 'string' }, rows: { type: 'integer' } } };

@Injectable()
export class TablesService {
  private readonly rows = new Map([
    ['customers', 120],
    ['drafts', 3],
    ['orders', 4_711],
  ]);

  /** The result is structured, and the same as text for clients that know no better; `_meta` is for programs alone. */
  @McpTool({
    name: 'list_tables',
    description: 'All tables and how many rows they have',
    mode: 'read-only',
    output: { type: 'object', properties: { tables: { type: 'array', items: TABLE } }, required: ['tables'] },
  })
  list(): McpResult {
    const tables = [...this.rows].map(([name, rows]) => ({ name, rows }));
    return mcpResult({ structured: { tables }, meta: { 'example.com/asOf': new Date().toISOString() } });
  }

  /** Destructive, so `ConfirmGate` has a say; the method itself knows nothing of it. */
  @McpTool({ name: 'drop_table', description: 'Removes a table with all its rows', mode: 'destructive' })
  drop(
    @McpArg('name') name: string,
    // Read by the gate alone.
    @McpArg('nonce', { description: 'From the confirmation of this very call, if there was one', required: false })
    _nonce?: string,
  ): McpResult {
    const rows = this.rows.get(name);
    if (rows === undefined) throw new McpToolError(`There is no table ${name}.`);
    this.rows.delete(name);
    return mcpResult({ content: [`${name} is gone.`], structured: { rows }, meta: { 'example.com/rows': rows } });
  }
}
