import { fromBase64Url, toBase64Url } from '../results/base64.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import { isObject } from '../json/json.js';
import { readJson } from '../json/json-reader.js';

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The cursor after the item with this key, in the list of this kind: base64url of `{"v":1,"k":kind,"a":key}`. It holds
 * a position and no state, so any instance can read it (PAGE-04); the same position gives the same text.
 */
export function encodeCursor(kind: string, key: string): string {
  return toBase64Url(utf8.encode(JSON.stringify({ v: 1, k: kind, a: key })));
}

/**
 * The key after which the page begins; undefined for the first page (absent or null cursor). Throws `ProtocolError`
 * -32602 for anything that is no cursor of this list.
 */
export function decodeCursor(cursor: unknown, kind: string): string | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  const position = typeof cursor === 'string' ? read(cursor) : undefined;
  if (position === undefined || position.v !== 1 || typeof position.k !== 'string' || typeof position.a !== 'string') {
    throw new ProtocolError(ErrorCode.InvalidParams, 'cursor is malformed');
  }
  if (position.k !== kind) {
    throw new ProtocolError(ErrorCode.InvalidParams, `cursor belongs to another list, not ${kind}`);
  }
  return position.a;
}

function read(cursor: string): Record<string, unknown> | undefined {
  const bytes = fromBase64Url(cursor);
  if (bytes === undefined) return undefined;
  try {
    const reading = readJson(strictUtf8.decode(bytes));
    return reading.ok && isObject(reading.value) ? reading.value : undefined;
  } catch {
    // Not UTF-8.
    return undefined;
  }
}
