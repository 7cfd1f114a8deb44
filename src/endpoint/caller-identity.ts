import { createHash } from 'node:crypto';
import { authenticatedCaller } from '../guards/authenticated.js';

/** The caller of one request, for handlers and for comparison. */
export interface Caller {
  readonly identity: unknown;
  /** Undefined is anonymous. */
  readonly key: string | undefined;
}

export interface CallerOptions {
  identity?(request: object): unknown;
  identityKey?(identity: unknown): string | undefined;
}

const ANONYMOUS: Caller = Object.freeze({ identity: undefined, key: undefined });

/** Says who is calling. Throws when the host's own `identityKey` gives no key. */
export function callerOf(request: object, options: CallerOptions): Caller {
  const identity = options.identity === undefined ? foundOn(request) : options.identity(request);
  if (identity === undefined || identity === null) return ANONYMOUS;
  if (options.identityKey === undefined) return { identity, key: defaultKey(identity) };
  const key: unknown = options.identityKey(identity);
  if (key !== undefined && typeof key !== 'string') throw new TypeError('identityKey must answer with a string');
  return { identity, key };
}

/** What an authenticator found out, else what a guard left on the request. */
function foundOn(request: object): unknown {
  const caller = authenticatedCaller(request);
  return caller === undefined ? (request as { user?: unknown }).user : caller.identity;
}

/** The host's own name for what a request belongs to. Throws when it is no text. */
export function statelessSessionId(
  request: object,
  options: { statelessSessionId?(request: object): string | undefined },
): string | undefined {
  const id: unknown = options.statelessSessionId?.(request);
  if (id !== undefined && typeof id !== 'string') throw new TypeError('statelessSessionId must answer with a string');
  return id;
}

/** A string itself, else its `sub` or `id`, else a digest of everything it holds. */
function defaultKey(identity: unknown): string {
  if (typeof identity === 'string') return identity;
  if (typeof identity === 'object') {
    const { sub, id } = identity as { readonly sub?: unknown; readonly id?: unknown };
    const named = sub ?? id;
    if (typeof named === 'string') return named;
    if (typeof named === 'number' || typeof named === 'bigint') return String(named);
  }
  return createHash('sha256').update(written(identity)).digest('base64url');
}

function written(identity: unknown): string {
  const text = JSON.stringify(identity, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? sorted(value) : value,
  ) as string | undefined;
  if (text === undefined) throw new TypeError('The identity has no sub, no id and no JSON form: set identityKey');
  return text;
}

/** The same members are the same text, in whatever order a token or a database gave them. */
function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
