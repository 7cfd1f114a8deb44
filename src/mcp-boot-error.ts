import type { Fault } from './protocol/entries.js';

/** Why the application does not start: every fault of every server, each with its `Class.method` or option. */
export class McpBootError extends Error {
  override readonly name = 'McpBootError';

  constructor(readonly faults: readonly Fault[]) {
    const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
    super([`${count} in what MCP clients would be offered:`, ...faults.map(asLine)].join('\n'));
  }
}

function asLine({ source, message }: Fault): string {
  return `- ${source}: ${message}`;
}
