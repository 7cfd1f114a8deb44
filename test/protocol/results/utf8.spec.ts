import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceedsUtf8, utf8Length } from '../../../src/protocol/results/utf8.js';

const text = fc.string({ unit: 'binary' });

describe('bytes of a text', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
    ['a😀€é', 10],
  ])('%j has %i', (value, bytes) => {
    expect(utf8Length(value)).toBe(bytes);
  });

  it('are those that are sent', () => {
    fc.assert(
      fc.property(text, (value) => utf8Length(value) === Buffer.byteLength(value)),
      { numRuns: 300 },
    );
  });

  it('exceed a bound exactly when there are more', () => {
    fc.assert(
      fc.property(text, fc.nat(40), (value, bound) => exceedsUtf8(value, bound) === Buffer.byteLength(value) > bound),
      { numRuns: 300 },
    );
  });
});
