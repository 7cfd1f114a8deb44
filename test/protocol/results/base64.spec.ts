import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64Url, isBase64, toBase64, toBase64Url } from '../../../src/protocol/results/base64.js';

describe('base64', () => {
  it('is written as Node writes it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
        expect(isBase64(toBase64(bytes))).toBe(true);
      }),
    );
  });

  it('is read back from its url form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
      }),
    );
  });

  it.each(['a', 'ab=', 'a+b/', 'a b', 'é', 'abcde'])('does not read %j as its url form', (text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  });

  it.each(['abc', 'data:x', 'ab-_', 'a===', '====', 'YQ==YQ=='])('does not take %j for its standard form', (text) => {
    expect(isBase64(text)).toBe(false);
  });
});
