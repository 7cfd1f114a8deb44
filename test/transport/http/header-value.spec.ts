import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerEquals } from '../../../src/transport/http/header-value.js';

const sentinel = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('a text', () => {
  it.each([
    ['echo', 'echo', true],
    ['  echo\t', 'echo', true],
    ['Echo', 'echo', false],
    ['', '', true],
    ['', ' ', false],
    ['true', 'true', true],
    ['=?base64?ZWNobw==?=', 'echo', true],
    ['=?base64??=', '', true],
    ['=?base64?0LHQuNCx0LvQuNC+0YLQtdC60LA=?=', 'библиотека', true],
    ['=?base64?IGVhc3Q=?=', ' east', true],
    // A plain value that looks like the sentinel travels wrapped, and is unwrapped once.
    ['=?base64?PT9iYXNlNjQ/eD89?=', '=?base64?x?=', true],
    ['=?base64?PT9iYXNlNjQ/WldOb2J3PT0/PQ==?=', 'echo', false],
    // Not canonical, wrong alphabet, wrong padding, not UTF-8.
    ['=?base64?ZWNobx==?=', 'echo', false],
    ['=?base64?ZWNobw?=', 'echo', false],
    ['=?base64?ZWNo bw==?=', 'echo', false],
    ['=?base64?ZWNobw===?=', 'echo', false],
    ['=?base64?_-8=?=', '\u{fffd}', false],
    ['=?base64?//4=?=', '\u{fffd}\u{fffd}', false],
    // Other markers are text.
    ['=?BASE64?ZWNobw==?=', 'echo', false],
    ['=?BASE64?ZWNobw==?=', '=?BASE64?ZWNobw==?=', true],
    ['=?base64?ZWNobw==', 'echo', false],
    ['=?base64?ZWNobw==', '=?base64?ZWNobw==', true],
    // Beyond ASCII only the sentinel travels.
    ['\u{ff}\u{fe}', '\u{ff}\u{fe}', false],
    ['\u{a0}echo', 'echo', false],
    ['ec\u{7f}ho', 'ec\u{7f}ho', false],
  ])('%j for %j: %s', (line, body, equal) => {
    expect(headerEquals(line, body, true)).toBe(equal);
  });

  it('in Base64 is only text where the sentinel has no meaning', () => {
    expect(headerEquals('=?base64?ZWNobw==?=', 'echo', false)).toBe(false);
    expect(headerEquals('tools/call', 'tools/call', false)).toBe(true);
  });

  it('of any characters equals its wrapped form, and no other text does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, other) => {
        fc.pre(text !== other);
        return headerEquals(sentinel(text), text, true) && !headerEquals(sentinel(text), other, true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a number', () => {
  it.each(['42', '42.0', '42.000', ' 42 ', '=?base64?NDI=?='])('%j is 42', (line) => {
    expect(headerEquals(line, 42, true)).toBe(true);
  });

  it.each(['042', '+42', '4_2', '0x2A', '1e2', '42abc', '42.', '42.5', '.42', '4 2', '', '43', '-42', 'NaN', '٤٢'])(
    '%j is not 42',
    (line) => {
      expect(headerEquals(line, 42, true)).toBe(false);
    },
  );

  it('zero has no sign', () => {
    for (const line of ['0', '-0', '0.0', '-0.00']) expect(headerEquals(line, 0, true)).toBe(true);
    expect(headerEquals('0', -0, true)).toBe(true);
  });

  it('is compared exactly at any length', () => {
    expect(headerEquals('9007199254740993', 9007199254740992, true)).toBe(false);
    expect(headerEquals('9007199254740992', 9007199254740992, true)).toBe(true);
    expect(headerEquals('9'.repeat(400), 42, true)).toBe(false);
    expect(headerEquals('9'.repeat(400), 1e300, true)).toBe(false);
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (value, other) => {
        return (
          headerEquals(String(value), value, true) && headerEquals(String(other), value, true) === (value === other)
        );
      }),
      { numRuns: 200 },
    );
  });

  it('that is no integer has no header form', () => {
    for (const body of [1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(headerEquals(String(body), body, true)).toBe(false);
    }
  });
});

describe('other values', () => {
  it('booleans are words in lower case', () => {
    expect(headerEquals('true', true, true)).toBe(true);
    expect(headerEquals('false', false, true)).toBe(true);
    expect(headerEquals('True', true, true)).toBe(false);
    expect(headerEquals('1', true, true)).toBe(false);
  });

  it('nothing else has a header form', () => {
    for (const body of [{}, [], ['echo'], null, undefined]) {
      expect(headerEquals(String(body), body, true)).toBe(false);
    }
  });
});
