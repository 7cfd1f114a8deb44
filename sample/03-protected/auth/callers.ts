/** Who calls, as the guard found out. */
export interface Caller {
  readonly sub: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
}

/** A request on which the guard has left the caller. */
export interface AuthorizedRequest {
  readonly headers: { readonly authorization?: string };
  user?: Caller;
}

// For the demonstration only: a real server verifies a signed token, its issuer, expiry and audience.
const CALLERS: ReadonlyMap<string, Caller> = new Map([
  ['reader-token', { sub: 'rita', roles: [], scopes: ['reports:read'] }],
  ['writer-token', { sub: 'wim', roles: [], scopes: ['reports:read', 'reports:write'] }],
  ['admin-token', { sub: 'ada', roles: ['admin'], scopes: ['reports:read', 'reports:write'] }],
]);

export function callerOf(token: string): Caller | undefined {
  return CALLERS.get(token);
}
