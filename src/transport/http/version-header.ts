import type { IncomingMessage } from 'node:http';
import { valuesOf } from './raw-headers.js';

const NAME = 'mcp-protocol-version';

/** The values of `MCP-Protocol-Version`, each once. Node joins several lines with a comma: then they are looked up. */
export function versionsOf(request: IncomingMessage): readonly string[] {
  const value = request.headers[NAME];
  if (typeof value !== 'string') return NONE;
  return value.includes(',') ? [...new Set(valuesOf(request, NAME).map((line) => line.trim()))] : [value.trim()];
}

const NONE: readonly string[] = Object.freeze([]);
