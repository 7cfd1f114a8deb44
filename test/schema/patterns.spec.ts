import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinearMatcher } from '../../src/schema/linear-matcher.js';
import { parsePattern } from '../../src/schema/pattern-syntax.js';
import { compilePattern, requirePattern } from '../../src/schema/patterns.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '.', '\n', 'é', '😀', '-'), maxLength: 8 });

/** Patterns of the subset that is matched in linear time, short enough for the backtracking engine to be the judge. */
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', '\\d', '[a-b]', '[^a]', '.', '\\.', '^', '$', '\\u{1F600}', 'é', '\\w'),
    tie('node').map((inner) => `(?:${inner})*`),
    tie('node').map((inner) => `(${inner})+?`),
    tie('node').map((inner) => `(?<n>${inner}){0,2}`.replace('?<n>', '?:')),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
  ),
})).node;

describe('patterns', () => {
  it('are matched as JavaScript matches them', () => {
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        expect(new LinearMatcher(parsePattern(source)).test(value)).toBe(new RegExp(source, 'u').test(value));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['^(a+)+$', 'a'],
    ['^(a|a)*$', 'a'],
    ['^(a|ab?)*$', 'a'],
    ['([a-z]+)*@', 'a'],
    ['\\s+$', ' '],
    ['^\\d*\\d*\\d*\\d*x$', '1'],
  ])('%s takes a long text in its stride', (source, letter) => {
    const compiled = compilePattern(source, 'u');
    const before = performance.now();
    expect(compiled.test(`${letter.repeat(100_000)}!`)).toBe(false);
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it('with look-around refuse a text whose time could not be bounded', () => {
    const compiled = compilePattern('^(?=.*a).*$', 'u');
    expect(compiled.test('bab')).toBe(true);
    expect(compiled.test('a'.repeat(5_001))).toBe(false);
  });

  it.each(['^(?=.)(a+)+$', '(a|b|ab)*\\1', '(?!x)(?:[a-z]*)*'])('%s is refused at boot', (source) => {
    expect(() => requirePattern(source, 'pattern at properties.a')).toThrow(SchemaFault);
  });

  it('that are no regular expressions are refused at boot', () => {
    expect(() => requirePattern('(', 'pattern at properties.a')).toThrow(/properties\.a/);
  });

  it('keep digits ASCII and the end of the text at the very end', () => {
    expect(compilePattern('^[a-z]+$', 'u').test('abc\n')).toBe(false);
    expect(compilePattern('^\\d$', 'u').test('٣')).toBe(false);
    expect(compilePattern('^(?:[a-z]+)+$', 'u').test('abc\n')).toBe(false);
  });
});
