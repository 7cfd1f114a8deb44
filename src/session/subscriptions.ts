import { ErrorCode, McpError } from '../protocol/errors.js';

/** Uris one client may watch at once, and characters of all of them together. */
const MAX_URIS = 1_000;
const MAX_CHARS = 262_144;

/** Refuses one more subscription when the client holds as many as it may. */
export function admitSubscription(current: Iterable<string>, uri: string): void {
  let count = 1;
  let chars = uri.length;
  for (const known of current) {
    if (known === uri) return;
    count += 1;
    chars += known.length;
  }
  if (count > MAX_URIS || chars > MAX_CHARS) {
    throw new McpError(ErrorCode.InvalidRequest, 'Too many resource subscriptions: unsubscribe from some first');
  }
}
