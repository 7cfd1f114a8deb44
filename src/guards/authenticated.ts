/** Who sent a request, as an authenticator found out. */
export interface Authenticated {
  readonly identity: unknown;
  readonly by: object;
}

const callers = new WeakMap<object, Authenticated>();

/** Remembers the caller beside the request: what the application keeps on it stays the application's. */
export function rememberCaller(request: object, caller: Authenticated): void {
  callers.set(request, caller);
}

/** Undefined when no authenticator let this request in. */
export function authenticatedCaller(request: object): Authenticated | undefined {
  return callers.get(request);
}
