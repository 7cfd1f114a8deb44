import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isConsumed, type ConsumedBody } from '../transport/http/body.js';

interface Parsed {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/** What a parser left that came before us all the same; undefined when nobody read the body. */
export function consumedBody(request: object, raw: IncomingMessage): ConsumedBody | undefined {
  if (!isConsumed(raw)) return undefined;
  for (const { rawBody, body } of [request as Parsed, raw as Parsed]) {
    for (const exact of [rawBody, body]) {
      if (exact instanceof Uint8Array) return { bytes: exact };
      if (typeof exact === 'string') return { bytes: Buffer.from(exact, 'utf8') };
    }
  }
  const parsed = (request as Parsed).body ?? (raw as Parsed).body;
  return parsed === undefined ? undefined : { parsed };
}
