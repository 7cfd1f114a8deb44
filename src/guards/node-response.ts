import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Fastify's reply, as far as it stands between us and the node response. */
interface Reply {
  readonly raw: ServerResponse;
  getHeaders(): OutgoingHttpHeaders;
  hijack(): unknown;
}

function isReply(response: object): response is Reply {
  return 'hijack' in response;
}

/**
 * The node response behind Express's response or Fastify's reply, which from here on is ours to answer: neither Nest nor
 * the platform touches it any more. It has every header that the host set before, CORS and helmet included.
 */
export function takeOver(response: object): ServerResponse {
  // Express's response is the node response.
  if (!isReply(response)) return response as ServerResponse;
  const { raw } = response;
  if (raw.headersSent) return raw;
  const inherited = response.getHeaders();
  response.hijack();
  for (const name in inherited) {
    const value = inherited[name];
    if (value === undefined) continue;
    if (name === 'vary') addVary(raw, String(value));
    else raw.setHeader(name, value);
  }
  return raw;
}

/** Adds to `Vary` what is not there yet; others may have set it before. */
export function addVary(response: ServerResponse, value: string): void {
  const before = response.getHeader('vary');
  if (before === undefined) {
    response.setHeader('vary', value);
    return;
  }
  const fields = (Array.isArray(before) ? before.join(', ') : String(before)).split(/\s*,\s*/);
  const known = new Set(fields.map((field) => field.toLowerCase()));
  const added = value.split(/\s*,\s*/).filter((field) => !known.has(field.toLowerCase()));
  response.setHeader('vary', [...fields, ...added].join(', '));
}
