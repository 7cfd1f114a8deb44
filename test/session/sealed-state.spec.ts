import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/protocol/json/json.js';
import type { StateBinding } from '../../src/protocol/questions/state.js';
import { InMemoryNonceStore } from '../../src/session/nonce-store.js';
import { SealedState } from '../../src/session/sealed-state.js';

const binding: StateBinding = {
  identityKey: 'alice',
  method: 'tools/call',
  target: 'wipe',
  argumentsText: '{"disk":1}',
};
const OLD = 'o'.repeat(32);
/** What JSON makes of it: an object with a prototype. */
const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;
const NEW = Buffer.alloc(32, 7);

describe('SealedState', () => {
  it('opens what it sealed, for the same call of the same caller', async () => {
    const sealer = new SealedState();
    const opened = await sealer.open(sealer.seal({ consent: true, list: [1, 'é'] }, binding), binding);
    expect(opened?.payload).toEqual({ consent: true, list: [1, 'é'] });
  });

  it('shows nothing of the payload, and no two texts alike', () => {
    const sealer = new SealedState();
    const one = sealer.seal({ secret: 'marker' }, binding);
    expect(one).not.toBe(sealer.seal({ secret: 'marker' }, binding));
    expect(Buffer.from(one.split('.')[2] ?? '', 'base64url').includes('marker')).toBe(false);
  });

  it.each<[string, Partial<StateBinding>]>([
    ['caller', { identityKey: 'bob' }],
    ['caller, being anonymous', { identityKey: undefined }],
    ['method', { method: 'prompts/get' }],
    ['target', { target: 'list' }],
    ['arguments', { argumentsText: '{"disk":2}' }],
  ])('does not open for another %s', async (_what, other) => {
    const sealer = new SealedState();
    const text = sealer.seal({ consent: true }, binding);
    expect(await sealer.open(text, { ...binding, ...other })).toBeUndefined();
    expect(await sealer.open(text, binding)).toBeDefined();
  });

  it('does not take an anonymous caller for one with the key "null"', async () => {
    const sealer = new SealedState();
    const text = sealer.seal({}, { ...binding, identityKey: undefined });
    expect(await sealer.open(text, { ...binding, identityKey: 'null' })).toBeUndefined();
  });

  it('does not open an expired state', async () => {
    let now = 0;
    const sealer = new SealedState({ ttlMs: 100, now: () => now });
    const text = sealer.seal({}, binding);
    now = 99;
    expect(await sealer.open(text, binding)).toBeDefined();
    now = 100;
    expect(await sealer.open(text, binding)).toBeUndefined();
  });

  it('opens until the state is spent, and is spent once', async () => {
    const sealer = new SealedState();
    const text = sealer.seal({}, binding);
    const one = await sealer.open(text, binding);
    const two = await sealer.open(text, binding);
    expect(await one?.spend()).toBe(true);
    expect(await two?.spend()).toBe(false);
    expect(await sealer.open(text, binding)).toBeUndefined();
  });

  it('refuses a text with any one character changed', async () => {
    const sealer = new SealedState();
    const text = sealer.seal({ consent: true }, binding);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(...'Aa0_-.%'), async (at, character) => {
        fc.pre(text[at] !== character);
        const forged = text.slice(0, at) + character + text.slice(at + 1);
        expect(await sealer.open(forged, binding)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it.each(['', '1', '1..', 'garbage', '2.AAAAAAAA.AAAA', '1.AAAAAAAA.AAAA', `1.AAAAAAAA.${'A'.repeat(200)}`])(
    'refuses %j',
    async (text) => {
      expect(await new SealedState().open(text, binding)).toBeUndefined();
    },
  );

  it('gives back any payload as it was, and to no other call', async () => {
    const sealer = new SealedState();
    const bindings = fc.record({
      identityKey: fc.option(fc.string({ unit: 'grapheme', maxLength: 6 }), { nil: undefined }),
      method: fc.constantFrom('tools/call', 'prompts/get', 'resources/read'),
      target: fc.string({ unit: 'grapheme', maxLength: 6 }),
      argumentsText: fc.json({ maxDepth: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }).map(plain)),
        bindings,
        bindings,
        async (payload, one, two) => {
          const text = sealer.seal(payload, one);
          expect((await sealer.open(text, one))?.payload).toStrictEqual(JSON.parse(JSON.stringify(payload)));
          const same = JSON.stringify(one) === JSON.stringify(two);
          expect((await sealer.open(text, two)) !== undefined).toBe(same);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuses any text that nobody sealed', async () => {
    const sealer = new SealedState();
    const part = fc.string({ unit: fc.constantFrom(...'Az09_-=%é'), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.tuple(fc.constantFrom('1', '2', ''), part, part)), async (text) => {
        expect(await sealer.open(typeof text === 'string' ? text : text.join('.'), binding)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a truncated text', async () => {
    const sealer = new SealedState();
    const text = sealer.seal({}, binding);
    for (let length = 0; length < text.length; length += 7) {
      expect(await sealer.open(text.slice(0, length), binding)).toBeUndefined();
    }
  });

  it('opens with any key of the ring and seals with the first', async () => {
    const before = new SealedState({ keys: [OLD] });
    const rotated = new SealedState({ keys: [NEW, OLD] });
    const text = before.seal({ n: 1 }, binding);
    expect((await rotated.open(text, binding))?.payload).toEqual({ n: 1 });
    expect(await before.open(rotated.seal({}, binding), binding)).toBeUndefined();
    expect(await new SealedState({ keys: [NEW] }).open(text, binding)).toBeUndefined();
  });

  it('opens on another instance that has the same key, and nowhere without one', async () => {
    const one = new SealedState({ keys: [OLD] });
    const two = new SealedState({ keys: [OLD] });
    expect(await two.open(one.seal({}, binding), binding)).toBeDefined();
    expect(await new SealedState().open(new SealedState().seal({}, binding), binding)).toBeUndefined();
  });

  it.each([
    [['x'.repeat(31)], 'stateKeys[0]'],
    [[OLD, Buffer.alloc(31)], 'stateKeys[1]'],
    [[], 'at least one'],
  ])('names the key that is too short', (keys, named) => {
    expect(() => new SealedState({ keys })).toThrow(named);
  });
});

describe('InMemoryNonceStore', () => {
  it('spends an id once and forgets it after its expiry', () => {
    let now = 0;
    const nonces = new InMemoryNonceStore({ now: () => now });
    expect(nonces.spend('a', 10)).toBe(true);
    expect(nonces.spend('a', 10)).toBe(false);
    now = 10;
    nonces.spend('b', 20);
    expect(nonces.size).toBe(1);
  });

  it('refuses to spend rather than forget one that could be used again', () => {
    let now = 0;
    const nonces = new InMemoryNonceStore({ max: 2, now: () => now });
    nonces.spend('late', 100);
    nonces.spend('early', 10);
    expect(nonces.spend('c', 100)).toBe(false);
    expect(nonces.isSpent('c')).toBe(false);
    now = 10;
    expect(nonces.spend('c', 100)).toBe(true);
    expect(nonces.isSpent('late')).toBe(true);
  });
});
