import type { IncomingMessage, ServerResponse } from 'node:http';
import { corsHeaders, isPreflight, preflightHeaders, type Headers } from '../transport/http/cors.js';
import { hostAllowed, type HostRule } from '../transport/http/host.js';
import { originAllowed, type OriginRule } from '../transport/http/origin.js';
import { refuseUnread, writeEmpty } from '../transport/http/writing.js';
import { addVary } from './node-response.js';

/** What the front door goes by; read for each request, once the application has started. */
export interface DoorRules {
  readonly hosts: HostRule;
  readonly origins: OriginRule;
  /** Methods of the endpoint, as in `Allow`. */
  readonly allow: string;
  readonly parameterHeaders: readonly string[];
  readonly logger: { warn(message: string): void; error(message: string, error?: unknown): void };
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

function setHeaders(response: ServerResponse, headers: Headers): void {
  // The host's own enableCors answered for this response already.
  if (response.hasHeader('access-control-allow-origin')) return;
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (name === 'vary') addVary(response, value);
    else response.setHeader(name, value);
  }
}

/** True when the request may go on. */
function admitted(rules: DoorRules, request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers;
  if (!hostAllowed(request, rules.hosts)) {
    rules.logger.warn('Refused a request: its Host is not one of allowedHosts');
    refuseUnread(request, response, { status: 403, message: 'Host not allowed' });
    return false;
  }
  if (origin === undefined) return true;
  if (!originAllowed(request, rules.origins)) {
    rules.logger.warn('Refused a request: its Origin is not one of allowedOrigins');
    refuseUnread(request, response, { status: 403, message: 'Origin not allowed' });
    return false;
  }
  if (!isPreflight(request)) {
    setHeaders(response, corsHeaders(origin));
    return true;
  }
  setHeaders(response, preflightHeaders(origin, rules.allow, rules.parameterHeaders));
  writeEmpty(response, 204);
  return false;
}

const PASSED = Symbol('nestjs-mcp:passed');
type Marked = IncomingMessage & { [PASSED]?: DoorRules };

/** Whether the middleware has let this request in: it was judged by these rules. */
export function hasPassed(rules: DoorRules, request: IncomingMessage): boolean {
  return (request as Marked)[PASSED] === rules;
}

/** Judges a request for one server. False: it was answered. Never throws. */
export function passesDoor(rulesOf: () => DoorRules, request: IncomingMessage, response: ServerResponse): boolean {
  let rules: DoorRules | undefined;
  try {
    rules = rulesOf();
    if (!admitted(rules, request, response)) return false;
    (request as Marked)[PASSED] = rules;
    return true;
  } catch (error) {
    // Without rules the server has not started: there is nobody to tell.
    rules?.logger.error('The front door failed', error);
    refuseUnread(request, response, { status: 503, message: 'The server is not ready' });
    return false;
  }
}

/**
 * Host, Origin and preflight, decided before every guard. It gets the node request on both platforms and must not throw:
 * what a middleware throws reaches the host's filters, on Fastify with a response they cannot use.
 */
export function doorMiddleware(rules: () => DoorRules): Middleware {
  return (request, response, next) => {
    if (passesDoor(rules, request, response)) next();
  };
}
