import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpLogger } from '../protocol/logger.js';
import { corsHeaders, isPreflight, preflightHeaders } from '../transport/http/cors.js';
import { hostAllowed, type HostRule } from '../transport/http/host.js';
import { originAllowed, type OriginRule } from '../transport/http/origin.js';
import { refuseUnread } from '../transport/http/writing.js';

/** What the door asks of a server that has started. */
export interface DoorRules {
  readonly origins: OriginRule;
  readonly hosts: HostRule;
  /** Methods of the endpoint, as in `Allow`. */
  readonly allow: string;
  /** `Mcp-Param-*` headers of the catalog. */
  readonly parameterHeaders: readonly string[];
  readonly logger: McpLogger;
}

/**
 * Decides Host, Origin and preflight before every guard. It never throws: the host's filter would get a raw response
 * that it does not know.
 */
export function doorMiddleware(
  rulesOf: () => DoorRules,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  return (request, response, next) => {
    const rules = rulesOf();
    if (!hostAllowed(request, rules.hosts)) {
      rules.logger.debug('Refused a foreign Host');
      refuseUnread(request, response, { status: 403, message: 'Host not allowed' });
      return;
    }
    const { origin } = request.headers;
    if (origin === undefined) {
      next();
      return;
    }
    if (!originAllowed(request, rules.origins)) {
      rules.logger.debug('Refused a foreign Origin');
      refuseUnread(request, response, { status: 403, message: 'Origin not allowed' });
      return;
    }
    if (isPreflight(request)) {
      response.writeHead(204, preflightHeaders(origin, rules.allow, rules.parameterHeaders));
      response.end();
      return;
    }
    // Where the host answers CORS for the whole application, its words stand.
    if (!response.hasHeader('access-control-allow-origin')) {
      for (const [name, value] of Object.entries(corsHeaders(origin))) response.setHeader(name, value);
    }
    next();
  };
}
