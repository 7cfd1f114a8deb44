import type { Fault } from '../protocol/catalog/entries.js';

/** Why the application does not start: every fault of every server, each with its `Class.method` or option. */
export class McpBootError extends Error {
  override readonly name = 'McpBootError';

  readonly faults: readonly Fault[];

  constructor(found: readonly Fault[]) {
    // Two servers that offer the same method have the same fault.
    const faults = [...new Map(found.map((fault) => [asLine(fault), fault])).values()];
    const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
    super([`${count} in what MCP clients would be offered:`, ...faults.map(asLine)].join('\n'));
    this.faults = faults;
  }
}

function asLine({ source, message }: Fault): string {
  return `- ${source}: ${message}`;
}
