import type { Change } from '../protocol/changes.js';
import { encode } from '../protocol/results/encoder.js';

const LIST_CHANGED = {
  tools: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
  prompts: '{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}',
  resources: '{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}',
} as const;

/**
 * What a handshake-era client is told of a change, outside any call of its own. Undefined for tasks: their
 * notifications carry the task, which the protocol writes.
 */
export function changeMessage(change: Change): string | undefined {
  switch (change.kind) {
    case 'tools':
    case 'prompts':
    case 'resources':
      return LIST_CHANGED[change.kind];
    case 'resource':
      return encode({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: change.uri },
      });
    case 'task':
      return undefined;
  }
}
