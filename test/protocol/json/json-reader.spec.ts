import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/protocol/json/json-reader.js';

function valueOf(text: string): unknown {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(`${reading.kind}: ${reading.reason}`);
  return reading.value;
}

function kindOf(text: string): string {
  const reading = readJson(text);
  return reading.ok ? 'ok' : reading.kind;
}

function holdsUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnsafeInteger);
}

describe('reading JSON', () => {
  it('reads what JSON.stringify writes, into plain objects', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t', '\r\n'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const reading = readJson(text);
        if (reading.ok) expect(reading.value).toStrictEqual(JSON.parse(text));
        else expect(holdsUnsafeInteger(value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('reads strings of every length and content as JSON.parse does', () => {
    const unit = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('a', ' ', 'é', '😀') },
      { weight: 3, arbitrary: fc.constantFrom('"', '\\', '\n', '\u0000', '\u2028', '\ud83d', '\ude00', '/') },
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 300 }), fc.boolean(), (units, padded) => {
        const text = JSON.stringify({ text: units.join(''), pad: padded ? ' '.repeat(20_000) : '' });
        expect(valueOf(text)).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse on which damaged texts are JSON', () => {
    const seeds = [
      '{"a":[1,-2.5e+3,true,null],"b":"x\\u0041\\n","c":{}}',
      '[[],{},"",0,-0,1E5,false]',
      '"\\ud83d\\ude00"',
      '12',
    ];
    const damage = fc.record({
      seed: fc.constantFrom(...seeds),
      at: fc.nat(60),
      remove: fc.nat(2),
      insert: fc.constantFrom(
        '',
        '"',
        '\\',
        ',',
        ':',
        '}',
        ']',
        '{',
        '[',
        '0',
        '.',
        'e',
        '-',
        ' ',
        '\u0001',
        'tru',
        '\u00a0',
        '\ufeff',
      ),
    });
    fc.assert(
      fc.property(damage, ({ seed, at, remove, insert }) => {
        const text = seed.slice(0, at) + insert + seed.slice(at + remove);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(kindOf(text)).toBe('syntax');
          return;
        }
        const reading = readJson(text);
        if (reading.ok) expect(reading.value).toStrictEqual(expected);
        else expect(reading.kind).toBe('refused');
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    '',
    ' ',
    '{not json',
    '{"a":1,}',
    '[1,]',
    '01',
    '-',
    '1.',
    '1e',
    '+1',
    '.5',
    'NaN',
    'nul',
    '"a',
    '"\\x"',
    '"\\u12"',
    '"a\nb"',
    '1 2',
    '{"a" 1}',
    '{a:1}',
    "'a'",
  ])('says that %j is not JSON', (text) => {
    expect(readJson(text)).toEqual({ ok: false, kind: 'syntax', reason: 'Not valid JSON' });
  });

  it('refuses raw control characters far inside a long string', () => {
    expect(kindOf(`"${'a'.repeat(5000)}\n${'b'.repeat(5000)}"`)).toBe('syntax');
  });

  it('accepts escaped lone surrogates', () => {
    expect(valueOf('"\\ud83d"')).toBe('\ud83d');
  });
});

describe('nesting', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  it('admits 64 levels and refuses 65', () => {
    expect(kindOf(nested(64))).toBe('ok');
    expect(readJson(nested(65))).toEqual({ ok: false, kind: 'refused', reason: 'JSON nests deeper than 64 levels' });
    expect(kindOf('{"a":'.repeat(65) + '1' + '}'.repeat(65))).toBe('refused');
  });

  it('counts levels, not brackets: siblings and brackets in strings are free', () => {
    expect(kindOf(`[${'[],{},'.repeat(200)}"${'['.repeat(100)}\\"[["]`)).toBe('ok');
  });

  it('stops at the bound without looking further', () => {
    const text = '['.repeat(524_288);
    const started = performance.now();
    expect(kindOf(text)).toBe('refused');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('takes another bound', () => {
    expect(readJson('[[[]]]', { maxDepth: 2 }).ok).toBe(false);
    expect(readJson('[[]]', { maxDepth: 2 }).ok).toBe(true);
  });
});

describe('repeated keys', () => {
  it('are refused at any depth and named', () => {
    expect(readJson('{"params":{"name":"a","name":"b"}}')).toEqual({
      ok: false,
      kind: 'refused',
      reason: 'JSON repeats the key "name" in one object',
    });
  });

  it('are compared after unescaping', () => {
    expect(kindOf('{"a":1,"\\u0061":2}')).toBe('refused');
  });

  it('are allowed in sibling objects', () => {
    expect(kindOf('[{"a":1},{"a":2,"b":{"a":3}}]')).toBe('ok');
  });

  it('are named cut and well-formed', () => {
    const key = `${'k'.repeat(63)}😀`;
    const reading = readJson(`{"${key}":1,"${key}":2}`);
    expect(reading).toMatchObject({ reason: `JSON repeats the key "${'k'.repeat(63)}\ufffd" in one object` });
  });

  it('lose against later text that is no JSON', () => {
    expect(kindOf('{"a":1,"a":2')).toBe('syntax');
    expect(kindOf('[1e999,')).toBe('syntax');
  });
});

describe('keys of Object.prototype', () => {
  it('are ordinary own keys', () => {
    const value = valueOf('{"__proto__":{"x":1},"constructor":2,"toString":3}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('x' in value).toBe(false);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1},"constructor":2,"toString":3}');
  });

  it('are refused when repeated', () => {
    expect(kindOf('{"__proto__":1,"__proto__":2}')).toBe('refused');
    expect(kindOf('{"constructor":1,"constructor":2}')).toBe('refused');
  });
});

describe('numbers', () => {
  it.each(['9007199254740991', '-9007199254740991', '1e308', '1.0', '9007199254740993.0', '1e-400', '-0', '0'])(
    'reads %s',
    (text) => {
      expect(valueOf(text)).toBe(JSON.parse(text));
    },
  );

  it.each(['9007199254740992', '-9007199254740992', '9007199254740993', '1e400', '-1e309', '9'.repeat(400)])(
    'refuses %s rather than round it',
    (text) => {
      expect(kindOf(text)).toBe('refused');
    },
  );

  it('reads every double and every safe integer exactly', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger(), (double, integer) => {
        const plainBig = Number.isInteger(double) && !Number.isSafeInteger(double) && !String(double).includes('e');
        if (!plainBig) expect(valueOf(JSON.stringify(double))).toBe(JSON.parse(JSON.stringify(double)));
        expect(valueOf(String(integer))).toBe(integer);
      }),
    );
  });
});

describe('ids as written', () => {
  const inexact = (text: string): boolean => {
    const reading = readJson(text);
    return reading.ok && reading.inexactIds?.has(reading.value) === true;
  };

  it.each(['1.0', '1e3', '-0', '0.5', '10E-1'])('flags the id %s', (id) => {
    expect(inexact(`{"method":"ping","id":${id}}`)).toBe(true);
  });

  it.each(['1', '-1', '0', '9007199254740991', '"1.0"', 'null'])('does not flag the id %s', (id) => {
    expect(readJson(`{"x":1.5,"id":${id},"y":2.5}`)).not.toHaveProperty('inexactIds');
  });

  it('flags items of a batch, and nothing deeper', () => {
    const reading = readJson('[{"id":1},{"id":1.0,"params":{"id":2.0}}]');
    if (!reading.ok || !Array.isArray(reading.value)) throw new Error('not read');
    expect([...(reading.inexactIds ?? [])]).toEqual([reading.value[1]]);
    expect(readJson('{"params":{"id":1.0},"id":1}')).not.toHaveProperty('inexactIds');
  });
});
