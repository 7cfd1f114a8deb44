import type { IncomingMessage } from 'node:http';
import { valuesOf } from './raw-headers.js';

/** Origins that may call: exact scheme, host and port, or `any`. */
export type OriginRule = 'any' | ReadonlySet<string>;

/** Parses the host's list; throws a `TypeError` that names a bad entry. */
export function originRule(allowed: readonly string[] | 'any'): OriginRule {
  if (allowed === 'any') return 'any';
  const origins = new Set<string>();
  for (const entry of allowed) {
    const origin = parseOrigin(entry);
    if (origin === undefined) {
      throw new TypeError(`${JSON.stringify(entry)} is no origin such as https://app.example.com`);
    }
    origins.add(origin);
  }
  return origins;
}

/** The origin in one spelling: lower case, default port left out. Undefined when the text says more, or less. */
function parseOrigin(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#@\\\s]+$/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return host === '' ? undefined : `${protocol}//${host}`;
}

/** True when every Origin line of the request is allowed; a request without one is no browser's (HTTP-05, HTTP-07). */
export function originAllowed(request: IncomingMessage, rule: OriginRule): boolean {
  if (request.headers.origin === undefined || rule === 'any') return true;
  return valuesOf(request, 'origin').every((value) => {
    const origin = parseOrigin(value);
    return origin !== undefined && rule.has(origin);
  });
}
