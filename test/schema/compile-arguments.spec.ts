import { describe, expect, it } from 'vitest';
import type { Parsed } from '../../src/protocol/catalog/entries.js';
import { compileArguments } from '../../src/schema/compile-arguments.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

function parse(source: unknown, args: Record<string, unknown>): Parsed {
  const parsed = compileArguments(source).parse(args);
  if (parsed instanceof Promise) throw new Error('a JSON Schema is checked at once');
  return parsed;
}

function violations(source: unknown, args: Record<string, unknown>): readonly string[] {
  const parsed = parse(source, args);
  return parsed.ok ? [] : parsed.violations.map(({ path, rule }) => `${path} ${rule}`);
}

const object = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest });

describe('a hand-written schema', () => {
  it('is listed as written, every keyword of it', () => {
    const written = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' } } } },
      properties: {
        name: { type: 'string', 'x-mcp-header': 'Name', example: 'Ada' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'], enumNames: ['Phone', 'E-mail'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    };
    expect(JSON.stringify(compileArguments(written).wire)).toBe(JSON.stringify(written));
    expect(parse(written, { contactMethod: 'phone', phone: '1' })).toEqual({
      ok: true,
      value: { contactMethod: 'phone', phone: '1' },
    });
    expect(violations(written, { contactMethod: 'phone', email: 'x' })).toEqual(['phone is required']);
  });

  it('is compiled once per object', () => {
    const written = object({ a: { type: 'string' } });
    expect(compileArguments(written)).toBe(compileArguments(written));
  });

  it('reads draft-07 words when $schema says so', () => {
    const written = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } }),
    };
    expect(parse(written, { pair: ['a', 1] }).ok).toBe(true);
    expect(violations(written, { pair: ['a', 'b'] })).toEqual(['pair[1] must be number']);
    expect(() => compileArguments(object({ pair: { type: 'array', items: [{ type: 'string' }] } }))).toThrow(
      SchemaFault,
    );
  });

  it.each([
    [
      'an unknown keyword',
      object({ a: { type: 'string', minLenght: 1 } }),
      /unknown keyword "minLenght" at properties\.a/,
    ],
    [
      'an unknown format',
      object({ a: { type: 'string', format: 'emial' } }),
      /unknown format "emial" at properties\.a/,
    ],
    ['a root of another type', { type: 'string' }, /type "object"/],
    ['a root without type', { properties: {} }, /type "object"/],
    ['a reference to nowhere', object({ a: { $ref: '#/$defs/none' } }), /#\/\$defs\/none/],
    ['a reference into the network', object({ a: { $ref: 'https://example.com/schema.json' } }), /example\.com/],
    ['an unusable value of a keyword', object({ a: { type: 'strnig' } }), /type/],
    ['a broken pattern', object({ a: { pattern: '(' } }), /pattern at properties\.a/],
    [
      'a dialect it does not speak',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' },
      /2019-09/,
    ],
    ['something that is no schema', 'object', /JSON Schema object/],
    ['null', null, /JSON Schema object/],
  ])('is refused at boot for %s', (_, source, message) => {
    expect(() => compileArguments(source)).toThrow(SchemaFault);
    expect(() => compileArguments(source)).toThrow(message);
  });

  it('that contains itself as an object is refused at boot', () => {
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic['properties'] = { self: cyclic };
    expect(() => compileArguments(cyclic)).toThrow(/not JSON/);
  });

  it('cannot reach into another one by its $id', () => {
    const $id = 'https://one.example/schema';
    const inner = { $id: 'https://one.example/inner', type: 'string' };
    compileArguments({ $id, type: 'object', $defs: { a: { type: 'string' } }, properties: { inner } });
    expect(() =>
      compileArguments({ $id, type: 'object', properties: { inner: { ...inner, minLength: 1 } } }),
    ).not.toThrow();
    expect(() => compileArguments(object({ a: { $ref: `${$id}#/$defs/a` } }))).toThrow(SchemaFault);
    expect(() => compileArguments(object({ a: { $ref: inner.$id } }))).toThrow(SchemaFault);
  });
});

describe('a tool without input', () => {
  it('lists an object without properties and takes nothing', () => {
    const schema = compileArguments(undefined);
    expect(schema.wire).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect(parse(undefined, {})).toEqual({ ok: true, value: {} });
    expect(violations(undefined, { a: 1 })).toEqual(['a is not allowed']);
  });
});

describe('violations', () => {
  it('name each bad argument and what was expected, never what was sent', () => {
    const schema = object({ a: { type: 'number' }, b: { type: 'integer' } }, { required: ['a', 'b', 'c'] });
    const found = violations(schema, { a: 'SECRET', b: 1.5 });
    expect(found.toSorted()).toEqual(['a must be number', 'b must be integer', 'c is required']);
    expect(JSON.stringify(found)).not.toContain('SECRET');
  });

  it('lead through objects and arrays', () => {
    const schema = object({
      opts: object({ mode: { enum: ['fast', 'slow'] } }, { additionalProperties: false, required: ['mode'] }),
      tags: { type: 'array', items: { type: 'string' } },
      '0': { type: 'object', properties: { '1': { type: 'string' } } },
    });
    expect(violations(schema, { opts: { mode: 'SECRET' } })).toEqual(['opts.mode must be one of "fast", "slow"']);
    expect(violations(schema, { opts: { mode: 'fast', evil: 1 } })).toEqual(['opts.evil is not allowed']);
    expect(violations(schema, { opts: {} })).toEqual(['opts.mode is required']);
    expect(violations(schema, { tags: ['a', 2] })).toEqual(['tags[1] must be string']);
    expect(violations(schema, { '0': { '1': 1 } })).toEqual(['0.1 must be string']);
  });

  it('speak of the root as arguments', () => {
    expect(violations({ type: 'object', minProperties: 1 }, {})).toEqual(['arguments must have at least 1 property']);
  });

  it.each([
    [{ type: 'string', minLength: 2 }, 'x', 'v must have at least 2 characters'],
    [{ type: 'string', maxLength: 1 }, 'xx', 'v must have at most 1 character'],
    [{ type: 'string', pattern: '^a' }, 'b', 'v must match the pattern ^a'],
    [{ type: 'string', format: 'email' }, 'b', 'v must be a valid email'],
    [{ const: 'x' }, 'y', 'v must be "x"'],
    [{ type: ['string', 'null'] }, 1, 'v must be string or null'],
    [{ type: 'number', minimum: 5 }, 4, 'v must be >= 5'],
    [{ type: 'number', exclusiveMaximum: 5 }, 5, 'v must be < 5'],
    [{ type: 'number', multipleOf: 2 }, 3, 'v must be a multiple of 2'],
    [{ type: 'array', items: {}, minItems: 1 }, [], 'v must have at least 1 item'],
    [
      { type: 'array', items: {}, uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'v must not hold equal items',
    ],
    [{ type: 'array', contains: { const: 1 } }, [], 'v must contain at least 1 matching item'],
    [{ type: 'array', prefixItems: [{}], items: false }, [1, 2], 'v must have at most 1 item'],
    [{ type: 'object', propertyNames: { pattern: '^a' } }, { b: 1 }, 'v.b has a name that is not allowed'],
    [{ type: 'object', dependentRequired: { a: ['b'] } }, { a: 1 }, 'v.b is required beside a'],
    [{ not: { type: 'string' } }, 'x', 'v must not have the excluded form'],
    [false, 'x', 'v is not allowed'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, true, 'v must be string or integer'],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, 'v must match only one of the allowed forms'],
  ])('of %j', (schema, value, violation) => {
    expect(violations(object({ v: schema }), { v: value })).toEqual([violation]);
  });

  it('of a union speak of the branch that was meant', () => {
    const shape = {
      oneOf: [
        object({ kind: { const: 'circle' }, radius: { type: 'number' } }, { required: ['kind', 'radius'] }),
        object({ kind: { const: 'square' }, side: { type: 'number' } }, { required: ['kind', 'side'] }),
      ],
    };
    const schema = object({ shape });
    expect(violations(schema, { shape: { kind: 'square' } })).toEqual(['shape.side is required']);
    expect(violations(schema, { shape: { kind: 'SECRET', side: 1, radius: 1 } })).toEqual([
      'shape.kind must be one of "circle", "square"',
    ]);
    expect(violations(schema, { shape: 1 })).toEqual(['shape must be object']);
  });

  it('are not multiplied by a huge value', () => {
    const schema = object({ list: { type: 'array', items: { type: 'string' } } });
    expect(violations(schema, { list: Array.from({ length: 100 }, () => 1) }).at(-1)).toBe(
      'arguments breaks 50 more rules',
    );
    const before = performance.now();
    expect(violations(schema, { list: Array.from({ length: 1_000_000 }, () => 1) })).toEqual([
      'list[0] must be string',
    ]);
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it('of a deep recursive union come at once', () => {
    const node = {
      oneOf: ['add', 'mul', 'neg'].map((op) =>
        object({ op: { const: op }, of: { $ref: '#/$defs/node' } }, { required: ['op'] }),
      ),
    };
    const schema = { type: 'object', properties: { root: { $ref: '#/$defs/node' } }, $defs: { node } };
    let value: Record<string, unknown> = { op: 'SECRET' };
    for (let depth = 0; depth < 60; depth += 1) value = { op: 'neg', of: value };
    const before = performance.now();
    expect(parse(schema, { root: value }).ok).toBe(false);
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it('shorten a name that a caller made up', () => {
    const [violation] = violations(undefined, { ['x'.repeat(5_000)]: 1 });
    expect(violation?.length).toBeLessThan(200);
  });
});

describe('values', () => {
  it('are neither coerced nor filled in', () => {
    const schema = object({ a: { type: 'number', default: 1 }, b: { type: 'boolean' } });
    expect(violations(schema, { a: '2' })).toEqual(['a must be number']);
    expect(parse(schema, {})).toEqual({ ok: true, value: {} });
    expect(parse(schema, { b: false })).toEqual({ ok: true, value: { b: false } });
  });

  it('keep their numbers: 1.0 is an integer', () => {
    expect(parse(object({ a: { type: 'integer' } }), JSON.parse('{"a":1.0}') as Record<string, unknown>).ok).toBe(true);
    expect(
      violations(
        object({ a: { type: 'array', uniqueItems: true } }),
        JSON.parse('{"a":[1,1.0]}') as Record<string, unknown>,
      ),
    ).toHaveLength(1);
  });

  it('are counted in characters', () => {
    const schema = object({ a: { type: 'string', maxLength: 1 } });
    expect(parse(schema, { a: '😀' }).ok).toBe(true);
    expect(parse(schema, { a: 'é' }).ok).toBe(true);
  });

  it('are handed on as they are when nothing is dropped', () => {
    const args = { a: { deep: true } };
    const parsed = parse(object({ a: {} }), args);
    expect(parsed.ok && parsed.value).toBe(args);
  });
});

describe('top-level keys', () => {
  const extra = { a: 1, extra: 2 };
  it('admitted by nothing but an absent or true additionalProperties are dropped', () => {
    expect(parse(object({ a: {} }), extra)).toEqual({ ok: true, value: { a: 1 } });
    expect(parse(object({ a: {} }, { additionalProperties: true }), extra)).toEqual({ ok: true, value: { a: 1 } });
    expect(extra).toEqual({ a: 1, extra: 2 });
  });

  it.each([
    ['patternProperties', { patternProperties: { '^ex': {} } }],
    ['a schema-valued additionalProperties', { additionalProperties: { type: 'number' } }],
    ['a branch of allOf', { allOf: [{ properties: { extra: {} } }] }],
    ['a branch of anyOf', { anyOf: [{ properties: { other: {} } }, { properties: { extra: {} } }] }],
    [
      'a branch behind a reference',
      { allOf: [{ $ref: '#/$defs/more' }], $defs: { more: { properties: { extra: {} } } } },
    ],
    ['then', { if: { required: ['a'] }, then: { properties: { extra: {} } } }],
  ])('declared by %s are kept', (_, rest) => {
    expect(parse(object({ a: {} }, rest), extra)).toEqual({ ok: true, value: extra });
  });

  it('of the prototype are ordinary keys', () => {
    const args = JSON.parse('{"a":1,"__proto__":{"polluted":true},"constructor":1}') as Record<string, unknown>;
    const parsed = parse(object({ a: {} }), args);
    expect(parsed).toEqual({ ok: true, value: { a: 1 } });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(violations(object({}, { additionalProperties: false }), args)).toContain('__proto__ is not allowed');
    expect(violations(object({}, { required: ['toString'] }), {})).toEqual(['toString is required']);
    const declared = parse(object({ a: {} }, { patternProperties: { '^__proto__$': {} } }), args);
    expect(declared.ok && Object.keys(declared.value as object)).toEqual(['a', '__proto__']);
  });
});
