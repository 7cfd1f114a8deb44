import { type } from 'arktype';
import * as v from 'valibot';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Parsed } from '../../src/protocol/catalog/entries.js';
import { compileArguments } from '../../src/schema/compile-arguments.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

async function parse(source: unknown, args: Record<string, unknown>): Promise<Parsed> {
  return compileArguments(source).parse(args);
}

async function violations(source: unknown, args: Record<string, unknown>): Promise<readonly string[]> {
  const parsed = await parse(source, args);
  return parsed.ok ? [] : parsed.violations.map(({ path, rule }) => `${path} ${rule}`);
}

const properties = (source: unknown): unknown => compileArguments(source).wire['properties'];

describe('a zod schema', () => {
  it('is listed in its input form and hands on its output', async () => {
    const schema = z.object({ a: z.string().transform(Number), b: z.number().default(3) });
    expect(compileArguments(schema).wire).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { default: 3, type: 'number' } },
      required: ['a'],
    });
    expect(await parse(schema, { a: '5' })).toEqual({ ok: true, value: { a: 5, b: 3 } });
  });

  it.each([
    ['refine', z.object({ from: z.string(), to: z.string() }).refine(({ from, to }) => from < to)],
    ['superRefine', z.object({ from: z.string(), to: z.string() }).superRefine(() => undefined)],
    ['transform', z.object({ from: z.string(), to: z.string() }).transform(({ from }) => from)],
    ['pipe', z.object({ from: z.string(), to: z.string() }).pipe(z.any())],
    ['preprocess', z.preprocess((value) => value, z.object({ from: z.string(), to: z.string() }))],
    ['default', z.object({ from: z.string(), to: z.string() }).default({ from: 'a', to: 'b' })],
    ['readonly', z.object({ from: z.string(), to: z.string() }).readonly()],
  ])('keeps its properties under %s', (_, schema) => {
    expect(properties(schema)).toEqual({ from: { type: 'string' }, to: { type: 'string' } });
  });

  it('refuses more than its listed form says', async () => {
    const schema = z
      .object({ from: z.string(), to: z.string() })
      .refine(({ from, to }) => from < to, { message: 'must be after from', path: ['to'] });
    expect(await violations(schema, { from: 'b', to: 'a' })).toEqual(['to must be after from']);
    expect(await violations(schema, { from: 1, to: 'a' })).toEqual(['from must be string']);
  });

  it('may take its time', async () => {
    const schema = z.object({ a: z.string() }).refine(async ({ a }) => Promise.resolve(a === 'x'), 'no');
    expect(await violations(schema, { a: 'y' })).toEqual(['arguments no']);
    expect(await parse(schema, { a: 'x' })).toEqual({ ok: true, value: { a: 'x' } });
  });

  it('is published with shared parts inlined and recursion as a definition', () => {
    const day = z.string().meta({ id: 'Day' });
    expect(compileArguments(z.object({ start: day, end: day })).wire).toEqual({
      type: 'object',
      properties: { start: { type: 'string' }, end: { type: 'string' } },
      required: ['start', 'end'],
    });
    const Node = z.object({
      name: z.string(),
      get kids() {
        return z.array(Node);
      },
    });
    expect(compileArguments(Node).wire).toMatchObject({
      type: 'object',
      properties: { kids: { type: 'array', items: { $ref: '#/$defs/Root' } } },
      $defs: { Root: { properties: { kids: { items: { $ref: '#/$defs/Root' } } } } },
    });
  });

  it('follows its recursion', async () => {
    const Node = z.object({
      name: z.string(),
      get kids() {
        return z.array(Node);
      },
    });
    expect((await parse(Node, { name: 'a', kids: [{ name: 'b', kids: [] }] })).ok).toBe(true);
    expect(await violations(Node, { name: 'a', kids: [{ name: 1, kids: [] }] })).toEqual([
      'kids[0].name must be string',
    ]);
  });

  it('gives every array items, and no dialect label', () => {
    const { wire } = compileArguments(
      z.object({ list: z.array(z.any()), pair: z.tuple([z.string(), z.number()]), map: z.record(z.string(), z.any()) }),
    );
    expect(wire).not.toHaveProperty('$schema');
    expect(wire['properties']).toMatchObject({
      list: { type: 'array', items: {} },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      map: { type: 'object' },
    });
  });

  it('with a union at its root is listed as one object', async () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), id: z.string(), x: z.string() }),
      z.object({ kind: z.literal('b'), id: z.number(), y: z.number().optional() }),
    ]);
    expect(compileArguments(schema).wire).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['a', 'b'] },
        id: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        x: { type: 'string' },
        y: { type: 'number' },
      },
      required: ['kind', 'id'],
    });
    expect(await parse(schema, { kind: 'b', id: 1, more: 1 })).toEqual({ ok: true, value: { kind: 'b', id: 1 } });
    expect((await parse(schema, { kind: 'a', id: 'x' })).ok).toBe(false);
    expect(await violations(schema, { kind: 'SECRET', id: 1 })).toEqual(['kind must be one of "a", "b"']);
  });

  it('with an intersection at its root is listed as one object', async () => {
    const schema = z.intersection(
      z.object({ a: z.string() }),
      z.union([z.object({ b: z.string() }), z.object({ c: z.string() })]),
    );
    expect(compileArguments(schema).wire).toMatchObject({
      type: 'object',
      properties: { a: {}, b: {}, c: {} },
      required: ['a'],
    });
    expect(Object.keys(compileArguments(schema).wire)).toEqual(['type', 'properties', 'required']);
    expect(await parse(schema, { a: 'x', c: 'y' })).toEqual({ ok: true, value: { a: 'x', c: 'y' } });
    expect((await parse(schema, { a: 'x' })).ok).toBe(false);
  });

  it('says itself what becomes of other keys', async () => {
    expect(await violations(z.strictObject({ a: z.string() }), { a: 'x', evil: 1 })).toEqual(['evil is not allowed']);
    expect(await parse(z.object({ a: z.string() }), { a: 'x', more: 1 })).toEqual({ ok: true, value: { a: 'x' } });
    expect(await parse(z.looseObject({ a: z.string() }), { a: 'x', more: 1 })).toEqual({
      ok: true,
      value: { a: 'x', more: 1 },
    });
    expect(await parse(z.record(z.string(), z.number()), { n: 1 })).toEqual({ ok: true, value: { n: 1 } });
  });

  it('keeps formats that JSON Schema does not know to itself', async () => {
    const schema = z.object({ mail: z.email(), net: z.cidrv4(), id: z.uuid(), n: z.int() });
    const args = { mail: 'a@b.example', net: '10.0.0.0/8', id: '6b0b5a2e-4a0f-4c34-9d0e-5f6d1b4f8c11', n: 1 };
    expect(properties(schema)).toMatchObject({
      mail: { format: 'email' },
      net: { pattern: expect.any(String) as unknown },
    });
    expect((properties(schema) as { net: object }).net).not.toHaveProperty('format');
    expect(await parse(schema, args)).toEqual({ ok: true, value: args });
    expect((await parse(schema, { ...args, net: 'x' })).ok).toBe(false);
  });

  it.each([
    ['that is no object', z.string(), /must describe an object/],
    ['that has no JSON form', z.object({ a: z.date() }), /no JSON Schema form/],
    ['with a branch that is no object', z.union([z.object({}), z.string()]), /must describe an object/],
  ])('%s is refused at boot', (_, schema, message) => {
    expect(() => compileArguments(schema)).toThrow(SchemaFault);
    expect(() => compileArguments(schema)).toThrow(message);
  });
});

describe('a Valibot schema', () => {
  const schema = v.pipe(
    v.object({ a: v.pipe(v.string(), v.minLength(2)), n: v.optional(v.pipe(v.string(), v.transform(Number))) }),
    v.check(({ a }) => a !== 'no', 'a is taken'),
  );

  it.each([
    ['as it is', schema],
    ['wrapped by its printer', toStandardJsonSchema(schema)],
  ])('works %s', async (_, source) => {
    expect(compileArguments(source).wire).toEqual({
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 }, n: { type: 'string' } },
      required: ['a'],
    });
    expect(await parse(source, { a: 'xy', n: '5' })).toEqual({ ok: true, value: { a: 'xy', n: 5 } });
    expect(await violations(source, { a: 'no' })).toEqual(['arguments a is taken']);
    expect(await violations(source, { a: 'x' })).toEqual(['a must have at least 2 characters']);
  });

  it('never repeats what was sent', async () => {
    const picky = v.object({
      a: v.pipe(
        v.string(),
        v.check((text) => text === 'x'),
      ),
    });
    expect(await violations(picky, { a: 'SECRET' })).toEqual(['a is not valid']);
  });
});

describe('an ArkType schema', () => {
  it('works, functions though they are', async () => {
    const schema = type({ mail: 'string.email', 'n?': 'number.integer > 0' });
    expect(compileArguments(schema).wire).toMatchObject({
      type: 'object',
      properties: { mail: { type: 'string', format: 'email' }, n: { type: 'integer', exclusiveMinimum: 0 } },
      required: ['mail'],
    });
    expect(await parse(schema, { mail: 'a@b.example', n: 1 })).toEqual({
      ok: true,
      value: { mail: 'a@b.example', n: 1 },
    });
    expect(await violations(schema, { mail: 'a@b.example', n: 0 })).toEqual(['n must be > 0']);
  });

  it('may be a union at its root, or recursive', () => {
    expect(compileArguments(type({ k: "'a'", x: 'string' }).or({ k: "'b'", y: 'number' })).wire).toMatchObject({
      type: 'object',
      properties: { k: { enum: ['a', 'b'] }, x: { type: 'string' }, y: { type: 'number' } },
      required: ['k'],
    });
    const { box } = type.module({ box: { 'next?': 'box', v: 'string' } });
    const { wire } = compileArguments(box);
    expect(wire).toMatchObject({ type: 'object', properties: { v: { type: 'string' } } });
    expect(Object.keys(wire['$defs'] as object)).toHaveLength(1);
  });

  it('never repeats what was sent', async () => {
    const picky = type({ a: type('string').narrow((text, context) => text === 'x' || context.mustBe('the letter')) });
    const source = {
      '~standard': {
        ...picky['~standard'],
        jsonSchema: { input: () => ({ type: 'object', properties: { a: { type: 'string' } } }) },
      },
    };
    expect(await violations(source, { a: 'SECRET' })).toEqual(['a must be the letter']);
  });
});

describe('another Standard Schema', () => {
  const standard = { version: 1, vendor: 'acme', validate: (value: unknown) => ({ value }) };

  it('may print itself by a method toJSONSchema', async () => {
    const source = {
      '~standard': standard,
      toJSONSchema: ({ io }: { io: string }) => ({ type: 'object', properties: { [io]: {} } }),
    };
    expect(properties(source)).toEqual({ input: {} });
    expect(await parse(source, { input: 1 })).toEqual({ ok: true, value: { input: 1 } });
  });

  it('that cannot print itself is refused at boot', () => {
    expect(() => compileArguments({ '~standard': standard })).toThrow(/acme schema cannot print itself/);
  });

  it('is printed in 2020-12 words whatever it says', () => {
    const source = {
      '~standard': standard,
      toJSONSchema: () => ({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        definitions: { day: { type: 'string', nullable: true } },
        properties: {
          day: { $ref: '#/definitions/day' },
          pair: { type: 'array', items: [{}], additionalItems: false },
          list: { type: 'array' },
        },
      }),
    };
    expect(compileArguments(source).wire).toEqual({
      type: 'object',
      properties: {
        day: { type: ['string', 'null'] },
        pair: { type: 'array', prefixItems: [{}], items: false },
        list: { type: 'array', items: {} },
      },
    });
  });

  it('with a reference to nowhere is refused at boot', () => {
    const source = {
      '~standard': standard,
      toJSONSchema: () => ({ type: 'object', properties: { a: { $ref: '#/$defs/none' } } }),
    };
    expect(() => compileArguments(source)).toThrow(/points nowhere/);
  });

  it('whose shared parts double at every level is refused at boot', () => {
    const $defs: Record<string, unknown> = { p0: { type: 'string' } };
    for (let level = 1; level < 30; level += 1) {
      const $ref = `#/$defs/p${level - 1}`;
      $defs[`p${level}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } };
    }
    const source = { '~standard': standard, toJSONSchema: () => ({ $ref: '#/$defs/p29', $defs }) };
    expect(() => compileArguments(source)).toThrow(/too large/);
  });
});
