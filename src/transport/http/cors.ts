import type { IncomingMessage } from 'node:http';

const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
];
const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version';
/** How long a browser may remember a preflight, in seconds. */
const MAX_AGE = '600';

export type Headers = Readonly<Record<string, string>>;

/** What a browser needs to read an answer; the origin was allowed. Credentials are never allowed (HTTP-25). */
export function corsHeaders(origin: string): Headers {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'Origin' };
}

/** A preflight is OPTIONS from a browser that names the method it means to use. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** The answer to a preflight: `methods` as in `Allow`, and the `Mcp-Param-*` headers of the catalog. */
export function preflightHeaders(origin: string, methods: string, parameterHeaders: readonly string[]): Headers {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [...REQUEST_HEADERS, ...parameterHeaders].join(', '),
    'access-control-max-age': MAX_AGE,
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
}
