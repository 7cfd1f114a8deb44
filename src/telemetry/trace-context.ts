/** A caller's place in its trace. */
export interface RemoteTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly traceState: string | undefined;
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const SAMPLED = 1;

const LONGEST_STATE = 512;
const MOST_MEMBERS = 32;
/** W3C Trace Context 3.3.1.3, both levels: `key=value`, with tenants in keys. */
const MEMBER =
  /^[a-z0-9][a-z0-9_*/-]{0,240}(?:@[a-z][a-z0-9_*/-]{0,13})?=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * The W3C trace context of a request's `_meta` (META-15). Untrusted: what is malformed is dropped, and never fails a
 * request (META-16).
 */
export function remoteTraceOf(meta: Readonly<Record<string, unknown>>): RemoteTrace | undefined {
  const parent = Object.hasOwn(meta, 'traceparent') ? meta['traceparent'] : undefined;
  if (typeof parent !== 'string' || parent.length > LONGEST_STATE) return undefined;
  const [, version, traceId = NO_TRACE, spanId = NO_SPAN, flags = '00', rest] = TRACE_PARENT.exec(parent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & SAMPLED;
  return { traceId, spanId, traceFlags, traceState: stateOf(meta) };
}

function stateOf(meta: Readonly<Record<string, unknown>>): string | undefined {
  const state = Object.hasOwn(meta, 'tracestate') ? meta['tracestate'] : undefined;
  if (typeof state !== 'string' || state === '' || state.length > LONGEST_STATE) return undefined;
  const members = state.split(',').map((member) => member.trim());
  const named = members.filter((member) => member !== '');
  return named.length <= MOST_MEMBERS && named.every((member) => MEMBER.test(member)) ? named.join(',') : undefined;
}
