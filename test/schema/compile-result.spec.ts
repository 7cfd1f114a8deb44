import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileResult } from '../../src/schema/compile-result.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

function cut(schema: unknown, value: unknown): unknown {
  const parsed = compileResult(schema).parse(value);
  return parsed.ok ? parsed.value : parsed.violations.map(({ path, rule }) => `${path} ${rule}`);
}

const user = { type: 'object', properties: { id: { type: 'number' } } };

describe('a structured result', () => {
  it('is cut to what its schema declares, at every depth', () => {
    expect(cut(user, { id: 1, password: 'hunter2' })).toEqual({ id: 1 });
    expect(
      cut(
        { type: 'object', properties: { users: { type: 'array', items: user } } },
        { users: [{ id: 1, password: 'x' }] },
      ),
    ).toEqual({ users: [{ id: 1 }] });
    expect(
      cut(
        { type: 'object', properties: { pair: { type: 'array', prefixItems: [user, {}] } } },
        { pair: [{ id: 1, p: 1 }, { q: 1 }] },
      ),
    ).toEqual({ pair: [{ id: 1 }, { q: 1 }] });
  });

  it('is cut before it is checked', () => {
    expect(cut({ ...user, additionalProperties: false }, { id: 1, password: 'x' })).toEqual({ id: 1 });
  });

  it('lets more out for an explicit additionalProperties: true alone', () => {
    expect(cut({ ...user, additionalProperties: true }, { id: 1, more: { deep: 1 } })).toEqual({
      id: 1,
      more: { deep: 1 },
    });
    expect(cut({ type: 'object' }, { id: 1 })).toEqual({});
  });

  it('keeps what schema-valued keywords declare', () => {
    expect(cut({ type: 'object', additionalProperties: user }, { a: { id: 1, p: 1 } })).toEqual({ a: { id: 1 } });
    expect(cut({ type: 'object', patternProperties: { '^u': user } }, { u1: { id: 1, p: 1 }, v: 1 })).toEqual({
      u1: { id: 1 },
    });
    expect(cut({ type: 'object', properties: { any: { description: 'anything' } } }, { any: { a: { b: 1 } } })).toEqual(
      { any: { a: { b: 1 } } },
    );
  });

  it('keeps the union of the branches of combinators', () => {
    const schema = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      anyOf: [{ properties: { a: {} } }, { $ref: '#/$defs/b' }],
      $defs: { b: { properties: { b: user } } },
    };
    expect(cut(schema, { kind: 'x', a: 1, b: { id: 1, p: 1 }, c: 1 })).toEqual({ kind: 'x', a: 1, b: { id: 1 } });
  });

  it('is followed through recursion', () => {
    const tree = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } };
    expect(cut(tree, { kids: [{ kids: [{ p: 1, kids: [] }], p: 1 }] })).toEqual({ kids: [{ kids: [{ kids: [] }] }] });
  });

  it('is the same value when nothing is cut', () => {
    const value = { id: 1 };
    expect(cut(user, value)).toBe(value);
  });

  it('that breaks the schema is refused, with where and why', () => {
    expect(cut(user, { id: 'x' })).toEqual(['id must be number']);
    expect(cut(user, 'x')).toEqual(['result must be object']);
  });

  it('may have any type at the root', () => {
    expect(cut({ type: 'array', items: { type: 'number' } }, [1, 2])).toEqual([1, 2]);
    expect(cut(z.array(z.number()), [1, 'x'])).toEqual(['[1] must be number']);
  });

  it('of a Standard Schema has its output form', () => {
    const { wire } = compileResult(z.object({ n: z.number().default(3) }));
    expect(wire).toEqual({
      type: 'object',
      properties: { n: { default: 3, type: 'number' } },
      required: ['n'],
      additionalProperties: false,
    });
    expect(() => compileResult(z.object({ a: z.string().transform(Number) }))).toThrow(SchemaFault);
  });

  it('keeps a member named __proto__ a member', () => {
    const schema = { type: 'object', patternProperties: { '^__proto__$': user } };
    const value = cut(schema, JSON.parse('{"__proto__":{"id":1,"p":1},"x":1}')) as object;
    expect(JSON.stringify(value)).toBe('{"__proto__":{"id":1}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
