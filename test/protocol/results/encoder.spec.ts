import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode, encodeError, encodeResult, wellFormed } from '../../../src/protocol/results/encoder.js';
import { EncodeError, OutputFault } from '../../../src/protocol/errors.js';
import { toPlainData } from '../../../src/protocol/results/plain-data.js';

function faultOf(value: unknown): string {
  try {
    encode(value);
  } catch (error) {
    expect(error).toBeInstanceOf(EncodeError);
    expect(error).toBeInstanceOf(OutputFault);
    return (error as Error).message;
  }
  throw new Error('was encoded');
}

const decoded = (value: unknown): unknown => JSON.parse(encode(value));

describe('encoding plain data', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(encode(value)).toBe(JSON.stringify(value));
        expect(toPlainData(value)).toBe(value);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps control characters, separators and astral characters', () => {
    const text = 'a\u0000b\u001f\u2028\u2029😀é';
    expect(decoded({ text })).toEqual({ text });
  });

  it('leaves undefined, functions and symbols out of objects and writes null in arrays', () => {
    expect(encode({ a: undefined, b: () => 1, c: Symbol('c'), d: [undefined, () => 1, Symbol('d')] })).toBe(
      '{"d":[null,null,null]}',
    );
    expect(encode(undefined)).toBe('null');
    expect(toPlainData({ a: undefined, b: 1 })).toEqual({ b: 1 });
    expect(Object.keys(toPlainData({ a: undefined, b: 1 }) as object)).toEqual(['b']);
  });
});

describe('lone surrogates', () => {
  it('become U+FFFD in values and keys, at the root too', () => {
    expect(encode('cut \ud83d')).toBe('"cut \ufffd"');
    expect(encode({ ['\udc00k']: ['\ud83d', '\\ud83d', '😀'] })).toBe('{"\ufffdk":["\ufffd","\\\\ud83d","😀"]}');
  });

  it('do not make two keys of one object equal', () => {
    expect(encode({ '\ud800': 1, '\ufffd': 2 })).toBe('{"\ufffd":2}');
  });

  it('are repaired in a text', () => {
    expect(wellFormed('a\ud83d')).toBe('a\ufffd');
    expect(wellFormed('a😀')).toBe('a😀');
  });
});

describe('values of the language', () => {
  class Place {
    readonly #secret = 1;
    constructor(readonly name: string) {}
    get upper(): string {
      return this.name.toUpperCase() + this.#secret;
    }
  }

  it.each([
    ['BigInt', { v: 9007199254740993n }, '{"v":"9007199254740993"}'],
    ['Date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    [
      'Map',
      new Map<unknown, unknown>([
        ['a', 1],
        [2, new Map([[true, 'x']])],
      ]),
      '{"2":{"true":"x"},"a":1}',
    ],
    ['Set', new Set([1, new Set(['a'])]), '[1,["a"]]'],
    ['Uint8Array', { b: Uint8Array.of(0, 255, 1) }, '{"b":"AP8B"}'],
    ['Buffer', { b: Buffer.from([0, 255, 1]) }, '{"b":"AP8B"}'],
    ['ArrayBuffer', Uint8Array.of(0, 255, 1).buffer, '"AP8B"'],
    ['a part of a buffer', { b: new Uint8Array(Uint8Array.of(9, 0, 255, 1, 9).buffer, 1, 3) }, '{"b":"AP8B"}'],
    ['Float64Array', { f: Float64Array.of(0.5, 2) }, '{"f":[0.5,2]}'],
    ['class instance', new Place('Oslo'), '{"name":"Oslo"}'],
    ['Error', { cause: new Error('secret') }, '{"cause":{}}'],
    ['boxed primitives', [new Number(1), new String('s'), new Boolean(false), Object(2n)], '[1,"s",false,"2"]'],
    ['null prototype', Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    ['URL', { u: new URL('http://h/p') }, '{"u":"http://h/p"}'],
    ['own __proto__', new Map([['__proto__', 1n]]), '{"__proto__":"1"}'],
  ])('%s', (_name, value, text) => {
    expect(encode(value)).toBe(text);
  });

  it('asks toJSON once, with the key', () => {
    const inner = { toJSON: (): unknown => 'inner' };
    expect(encode({ k: { toJSON: (key: string): unknown => ({ key, inner }) } })).toBe(
      '{"k":{"key":"k","inner":"inner"}}',
    );
    const self = { a: 1, toJSON: (): unknown => self };
    expect(encode(self)).toBe('{"a":1}');
    const twice = { toJSON: (): unknown => ({ b: 1, toJSON: (): unknown => 'again' }) };
    expect(encode(twice)).toBe('{"b":1}');
    expect(encode([{ toJSON: (): unknown => undefined }])).toBe('[null]');
  });

  it('knows values of another realm', () => {
    expect(encode(runInNewContext('({ at: new Date(0), m: new Map([["a", 1n]]), b: Uint8Array.of(0, 255, 1) })'))).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","m":{"a":"1"},"b":"AP8B"}',
    );
  });

  it('writes an object that is used twice, twice', () => {
    const shared = { at: new Date(0) };
    expect(decoded([shared, shared])).toEqual([{ at: '1970-01-01T00:00:00.000Z' }, { at: '1970-01-01T00:00:00.000Z' }]);
  });
});

describe('values without a JSON form', () => {
  it('name the place', () => {
    expect(faultOf({ rows: [{ mean: Number.NaN }] })).toBe('rows[0].mean is NaN, which is no JSON number');
    expect(faultOf([-Infinity])).toBe('[0] is -Infinity, which is no JSON number');
    expect(faultOf({ at: new Date(Number.NaN) })).toBe('at is an invalid date');
    expect(faultOf(new Map([[{}, 1]]))).toBe('The result is a Map with a key that is no primitive');
  });

  it('end on cycles, of objects, arrays, maps and toJSON', () => {
    const loop: Record<string, unknown> = { a: { b: [] } };
    (loop.a as { b: unknown[] }).b.push(loop);
    expect(faultOf(loop)).toBe('a.b[0] is a reference to what contains it');
    const map = new Map<string, unknown>();
    map.set('self', map);
    expect(faultOf(map)).toBe('self is a reference to what contains it');
    const endless = { toJSON: (): unknown => ({ next: { ...endless } }) };
    expect(faultOf(endless)).toMatch(/is nested deeper than 256 levels$/);
    const wide: unknown[] = [];
    wide.push(wide, wide, wide);
    expect(faultOf(wide)).toBe('[0] is a reference to what contains it');
  });

  it('end on depth, without exhausting the stack', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(faultOf(deep)).toMatch(/is nested deeper than 256 levels$/);
  });

  it('end on graphs that unfold without end, sparse arrays and endless iterables', () => {
    let graph: unknown = 'leaf';
    for (let level = 0; level < 60; level++) graph = [graph, graph];
    expect(faultOf(graph)).toBe('The result holds more than 5000000 values');
    expect(faultOf(new Array(4_000_000_000))).toBe('The result holds more than 5000000 values');
    class Endless {
      readonly [Symbol.toStringTag] = 'Set';
      *[Symbol.iterator](): Generator<number> {
        for (;;) yield 1;
      }
    }
    const endless = new Endless();
    expect(faultOf(endless)).toBe('The result holds more than 5000000 values');
  });

  it('end on whatever throws while it is read', () => {
    const secret = new Error('secret');
    const getter = {
      get x(): unknown {
        throw secret;
      },
    };
    expect(faultOf(getter)).toBe('The result could not be read');
    const refusing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw secret;
        },
      },
    );
    expect(faultOf([1n, refusing])).toBe('The result could not be read');
    expect(
      faultOf({
        toJSON: () => {
          throw secret;
        },
      }),
    ).toBe('The result could not be read');
  });
});

describe('any value', () => {
  it('gives JSON of well-formed Unicode or an EncodeError, and nothing else', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withBoxedValues: true,
      withSparseArray: true,
      stringUnit: fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom('\ud83d', '\ude00', '\\'),
      ),
    });
    fc.assert(
      fc.property(anything, (value) => {
        let text: string;
        try {
          text = encode(value);
        } catch (error) {
          expect(error).toBeInstanceOf(EncodeError);
          return;
        }
        const read: unknown = JSON.parse(text);
        expect(encode(read)).toBe(text);
        expect(text.isWellFormed()).toBe(true);
        expect(/(?<!\\)(\\\\)*\\ud[89a-f]/.test(text)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('responses', () => {
  it('carry the id with its type, or none', () => {
    expect(encodeResult(1, '{}')).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(encodeResult('1"', '{}')).toBe('{"jsonrpc":"2.0","id":"1\\"","result":{}}');
    expect(encodeError(undefined, -32700, 'Not valid JSON')).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Not valid JSON"}}',
    );
  });

  it('give back an id exactly, even one that is no Unicode', () => {
    expect(encodeResult('\ud83d', '{}')).toBe('{"jsonrpc":"2.0","id":"\\ud83d","result":{}}');
  });

  it('repair message and data of an error', () => {
    expect(encodeError(7, -1, 'm\ud83d', { k: '\ude00' })).toBe(
      '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"m\ufffd","data":{"k":"\ufffd"}}}',
    );
  });

  it('leave out data that has no JSON form', () => {
    expect(encodeError(7, -1, 'm', { k: Number.NaN })).toBe(
      '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"m"}}',
    );
  });
});
