import { describe, expect, it } from 'vitest';
import { callerOf } from '../../src/endpoint/caller-identity.js';

describe('the caller of a request', () => {
  it('is anonymous without a user', () => {
    expect(callerOf({}, {})).toEqual({ identity: undefined, key: undefined });
    expect(callerOf({ user: null }, {})).toEqual({ identity: undefined, key: undefined });
  });

  it.each([
    ['a string itself', 'ada', 'ada'],
    ['sub', { sub: 'ada', id: 7 }, 'ada'],
    ['id', { id: 7 }, '7'],
    ['a bigint id', { id: 7n }, '7'],
  ])('is compared by %s', (_what, user, key) => {
    expect(callerOf({ user }, {})).toEqual({ identity: user, key });
  });

  it('is compared by a digest of all it holds where nothing names it, in whatever order that came', () => {
    const key = (user: object): string | undefined => callerOf({ user }, {}).key;
    expect(key({ name: 'ada', roles: ['a', 'b'] })).toBe(key({ roles: ['a', 'b'], name: 'ada' }));
    expect(key({ name: 'ada', roles: ['a', 'b'] })).not.toBe(key({ name: 'ada', roles: ['b', 'a'] }));
    expect(key({ name: 'ada' })).not.toContain('ada');
  });

  it('is what the host says it is', () => {
    const options = {
      identity: (request: object) => (request as { account: { nr: number } }).account,
      identityKey: (identity: unknown) => `account-${(identity as { nr: number }).nr}`,
    };
    expect(callerOf({ account: { nr: 3 }, user: 'ada' }, options)).toEqual({ identity: { nr: 3 }, key: 'account-3' });
  });

  it('is anonymous when the host gives no key, and an error when the key is none', () => {
    expect(callerOf({ user: 'ada' }, { identityKey: () => undefined })).toEqual({ identity: 'ada', key: undefined });
    const wrong = { identityKey: (): string => 7 as unknown as string };
    expect(() => callerOf({ user: 'ada' }, wrong)).toThrow('identityKey must answer with a string');
  });

  it('cannot be compared when it has no written form', () => {
    const circular: { self?: object } = {};
    circular.self = circular;
    expect(() => callerOf({ user: circular }, {})).toThrow();
    expect(() => callerOf({ user: () => 'ada' }, {})).toThrow('set identityKey');
  });
});
