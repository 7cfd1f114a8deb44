import { describe, expect, it } from 'vitest';
import { compileArguments } from '../../src/schema/compile-arguments.js';
import { compileResult } from '../../src/schema/compile-result.js';
import { Remembered } from '../../src/schema/remembered.js';

describe('what is made of a text', () => {
  it('is made once', () => {
    const remembered = new Remembered<object>();
    const first = remembered.get('a', () => ({}));
    expect(remembered.get('a', () => expect.unreachable())).toBe(first);
  });

  it('is forgotten when 500 others were asked for since', () => {
    const remembered = new Remembered<number>();
    let made = 0;
    const ask = (text: string): number => remembered.get(text, () => (made += 1));
    ask('kept');
    ask('lost');
    for (let nr = 0; nr < 499; nr += 1) {
      ask('kept');
      ask(`text ${nr}`);
    }
    expect(made).toBe(501);
    ask('kept');
    expect(made).toBe(501);
    ask('lost');
    expect(made).toBe(502);
  });

  it('is not kept when it cannot be made', () => {
    const remembered = new Remembered<number>();
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => remembered.get('a', fail)).toThrow('no');
    expect(remembered.get('a', () => 1)).toBe(1);
  });
});

describe('schemas that are written anew each time', () => {
  const written = (): object => ({ type: 'object', properties: { a: { type: 'string' }, b: {} } });

  it('are compiled once', () => {
    expect(compileArguments(written())).toBe(compileArguments(written()));
    expect(compileResult(written())).toBe(compileResult(written()));
  });

  it('are listed in the order of their own members', () => {
    const turned = { properties: { b: {}, a: { type: 'string' } }, type: 'object' };
    expect(JSON.stringify(compileArguments(turned).wire)).toBe(JSON.stringify(turned));
    expect(JSON.stringify(compileArguments(written()).wire)).toBe(JSON.stringify(written()));
  });
});
