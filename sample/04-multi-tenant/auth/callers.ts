/** Who calls: a person of one tenant. */
export interface Caller {
  readonly sub: string;
  readonly tenant: 'north' | 'south';
  readonly role: 'user' | 'administrator';
}

// For the demonstration only: a real server verifies a signed token, its issuer, expiry and audience.
export const CALLERS: ReadonlyMap<string, Caller> = new Map([
  ['alice-token', { sub: 'alice', tenant: 'north', role: 'user' }],
  ['bob-token', { sub: 'bob', tenant: 'south', role: 'user' }],
  ['admin-token', { sub: 'admin', tenant: 'north', role: 'administrator' }],
]);
