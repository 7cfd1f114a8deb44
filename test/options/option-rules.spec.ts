import { describe, expect, it } from 'vitest';
import {
  listOf,
  methodOrClass,
  oneOf,
  shape,
  suggestion,
  text,
  wholeNumber,
  type Rule,
} from '../../src/options/option-rules.js';

function faultsOf(rule: Rule, value: unknown): readonly string[] {
  const faults: string[] = [];
  rule(value, 'option', (path, message) => faults.push(`${path} ${message}`));
  return faults;
}

describe('the rules of options', () => {
  it.each<readonly [string, Rule, unknown, readonly string[]]>([
    ['text', text, 'x', []],
    ['text', text, ' ', ['option must be a text that is not empty']],
    ['a whole number', wholeNumber(1, 3), 3, []],
    ['a whole number', wholeNumber(1, 3), 0, ['option must be a whole number from 1 to 3']],
    ['a whole number', wholeNumber(1, 3), 1.5, ['option must be a whole number from 1 to 3']],
    ['a whole number', wholeNumber(1, 3), '2', ['option must be a whole number from 1 to 3']],
    ['a whole number', wholeNumber(1, 3), NaN, ['option must be a whole number from 1 to 3']],
    ['one of several', oneOf('a', 'b'), 'b', []],
    ['one of several', oneOf('a', 'b'), 'c', ["option must be 'a' or 'b'"]],
    ['a list', listOf(text), ['x', 3], ['option[1] must be a text that is not empty']],
    ['a list', listOf(text), 'x', ['option must be an array']],
  ])('%s', (_name, rule, value, faults) => {
    expect(faultsOf(rule, value)).toEqual(faults);
  });

  it('an object may hold its members only, and must hold the required ones', () => {
    const rule = shape({ host: text, port: wholeNumber(0, 9) }, ['host']);
    expect(faultsOf(rule, { host: 'h', port: undefined })).toEqual([]);
    expect(faultsOf(rule, { prot: 1 })).toEqual([
      'option.prot is not an option; did you mean "port"?',
      'option.host is required',
    ]);
    expect(faultsOf(rule, null)).toEqual(['option must be an object']);
    expect(faultsOf(rule, [])).toEqual(['option must be an object']);
    expect(faultsOf(rule, { host: 'h', constructor: 1 })).toEqual(['option.constructor is not an option']);
  });

  it('tells a class with the method from a function and from a class without it', () => {
    class Judge {
      verify(): boolean {
        return true;
      }
    }
    class Nobody {}
    expect(faultsOf(methodOrClass('verify'), Judge)).toEqual([]);
    expect(faultsOf(methodOrClass('verify'), () => true)).toEqual([]);
    expect(faultsOf(methodOrClass('verify'), Nobody)).toEqual(['option must have verify(): class Nobody has none']);
    expect(faultsOf(methodOrClass('verify'), {})).toEqual(['option must be a function, or a class with verify()']);
  });

  it('suggests the nearest name, and none when nothing is near', () => {
    const names = ['allowedOrigins', 'allowedHosts', 'guards'];
    expect(suggestion('allowedOrigin', names)).toBe('; did you mean "allowedOrigins"?');
    expect(suggestion('Guard', names)).toBe('; did you mean "guards"?');
    expect(suggestion('wxyz', names)).toBe('');
  });
});
