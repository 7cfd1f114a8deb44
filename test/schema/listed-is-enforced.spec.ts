import 'reflect-metadata';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type } from 'arktype';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ArgumentSchema } from '../../src/protocol/catalog/entries.js';
import { argumentsOf } from '../../src/schema/arguments-of.js';
import { compileArguments } from '../../src/schema/compile-arguments.js';

/** What a client would do with the listed schema: an instance of its own. */
function listedAccepts(schema: ArgumentSchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, ownProperties: true });
  formats.default(ajv);
  for (const keyword of ['enumNames', 'example', 'x-note']) ajv.addKeyword(keyword);
  const validate = ajv.compile(structuredClone(schema.wire));
  return (value) => validate(structuredClone(value));
}

const name = fc.constantFrom('a', 'b', 'c', 'kind', 'constructor', '__proto__');
const text = fc.constantFrom('', 'a', 'ab', 'x@y.example', '2026-01-02', 'é😀', 'zzzzzz');
const number = fc.constantFrom(-1, 0, 1, 1.5, 2, 7, 1e21);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));

/** Values of the same small world as the schemas, so that they often fit. */
const { value, object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as Record<string, unknown>),
}));

const { schema, root } = fc.letrec<{ schema: unknown; root: Record<string, unknown> }>((tie) => {
  const members = (extra: object): fc.Arbitrary<Record<string, unknown>> =>
    fc
      .record({
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.oneof(fc.constant([]), fc.uniqueArray(name, { maxLength: 1 })),
        additionalProperties: fc.option(fc.oneof(fc.boolean(), tie('schema')), { nil: undefined }),
        patternProperties: fc.option(
          fc.dictionary(fc.constantFrom('^a', 'c$', '^(k+)+'), tie('schema'), { maxKeys: 1 }),
          { nil: undefined },
        ),
        minProperties: fc.option(fc.nat(2), { nil: undefined }),
        ...extra,
      })
      .map((keywords) => ({ type: 'object', ...keywords }));
  return {
    root: members({
      allOf: fc.option(
        fc.record({ if: members({}), then: tie('schema') }).map((condition) => [condition]),
        { nil: undefined },
      ),
      anyOf: fc.option(fc.array(members({}), { minLength: 1, maxLength: 2 }), { nil: undefined }),
      $defs: fc.constant({
        node: { type: 'object', properties: { b: { $ref: '#/$defs/node' }, c: { type: 'integer' } } },
      }),
    }),
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.boolean(),
      fc.constant({}),
      fc.constantFrom(
        { type: 'string' },
        { type: 'number' },
        { type: 'integer' },
        { type: 'boolean' },
        { type: ['string', 'null'] },
        { $ref: '#/$defs/node' },
      ),
      fc.constantFrom(
        { type: 'string', minLength: 2 },
        { type: 'string', maxLength: 2 },
        { pattern: '^(a|b)+$' },
        { pattern: '^[a-z]*$' },
        { format: 'email' },
        { format: 'date' },
        { minimum: 1, maximum: 3 },
        { exclusiveMinimum: 0 },
        { multipleOf: 0.5 },
      ),
      fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
      scalar.map((constant) => ({ const: constant })),
      tie('schema').map((items) => ({ type: 'array', items })),
      tie('schema').map((contains) => ({ contains })),
      fc.constant({ type: 'array', uniqueItems: true }),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((prefixItems) => ({ type: 'array', prefixItems })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((branches) => ({ anyOf: branches })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((branches) => ({ oneOf: branches })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((branches) => ({ allOf: branches })),
      tie('schema').map((not) => ({ not })),
      members({}),
    ),
  };
});

/** A value that tries to fit the schema: often it does, and if not it fails late, where it matters. */
function fitting(schema: unknown, pick: () => number): unknown {
  const choose = <T>(list: readonly T[]): T | undefined => list[pick() % list.length];
  if (typeof schema !== 'object' || schema === null) return choose(['ab', 1, null]);
  const node = schema as Record<string, unknown>;
  for (const branches of [node['enum'], node['anyOf'], node['oneOf'], node['allOf']]) {
    if (!Array.isArray(branches) || node['properties'] !== undefined) continue;
    const branch: unknown = choose(branches);
    return branches === node['enum'] ? branch : fitting(branch, pick);
  }
  if ('const' in node) return node['const'];
  const { properties, required, items, prefixItems, contains } = node;
  if (node['type'] === 'array') {
    const prefix = Array.isArray(prefixItems) ? prefixItems : [];
    return [...prefix, ...(items === undefined ? [] : [items])].map((item) => fitting(item, pick));
  }
  if (contains !== undefined) return [fitting(contains, pick)];
  if (node['type'] === 'object') {
    const known = Object.entries((properties ?? {}) as Record<string, unknown>).filter(() => pick() % 3 > 0);
    const names = ((required ?? []) as string[]).map((key): [string, unknown] => [key, 'ab']);
    const extra: [string, unknown][] = pick() % 4 === 0 ? [['zz', 1]] : [];
    return Object.fromEntries([...extra, ...names, ...known.map(([key, inner]) => [key, fitting(inner, pick)])]);
  }
  if (node['type'] === 'integer' || node['type'] === 'number') return choose([1, 2, 1.5]);
  if (node['type'] === 'boolean') return true;
  if (node['format'] !== undefined) return choose(['x@y.example', '2026-01-02', 'x']);
  return choose(['ab', 'a', '', 'zzz']);
}

/** Fitting values by themselves, and any values. */
function candidates(written: unknown, seeds: readonly number[], others: readonly unknown[]): readonly unknown[] {
  return [
    ...others,
    ...seeds.map((seed) => {
      let state = seed;
      return fitting(written, () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16);
    }),
  ];
}

const seeds = fc.array(fc.nat(), { minLength: 10, maxLength: 10 });

function argumentsFor({ wire }: ArgumentSchema): fc.Arbitrary<Record<string, unknown>> {
  return fc.oneof(
    object,
    fc.nat().map((seed) => candidates(wire, [seed], [])[0] as Record<string, unknown>),
  );
}

enum Size {
  Small = 'a',
  Large = 'ab',
}

class Part {
  @IsString() @MaxLength(2) a!: string;
  @IsOptional() @IsInt() b?: number;
}

class Whole {
  @IsInt() @Min(1) a!: number;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Part) b?: Part[];
  @IsOptional() @ValidateNested() @Type(() => Part) c?: Part;
  @IsOptional() @IsEnum(Size) kind?: Size;
}

class Loose {
  @IsOptional() @IsArray() @ArrayMaxSize(2) a?: unknown[];
  @IsOptional() @IsBoolean() b?: boolean;
  @IsOptional() @IsNumber() @Min(1) c?: number;
}

const Tree = z.object({
  a: z.string(),
  get b() {
    return z.array(Tree).optional();
  },
});

/** Sources whose own validators refuse nothing that their listed form accepts. */
const SOURCES: readonly (readonly [string, unknown])[] = [
  ['a DTO class with nested ones', Whole],
  ['a DTO class', Loose],
  [
    'a zod object',
    z.object({ a: z.string().min(1), b: z.int().optional(), c: z.enum(['a', 'ab']).nullable().default('a') }),
  ],
  [
    'a zod object with parts',
    z.object({
      a: z.array(z.object({ a: z.string() })).optional(),
      b: z.record(z.string(), z.number()).optional(),
      c: z.tuple([z.string(), z.number()]).optional(),
    }),
  ],
  ['a strict zod object', z.strictObject({ a: z.union([z.string(), z.number()]) })],
  ['a loose zod object', z.looseObject({ a: z.boolean().optional() })],
  ['a recursive zod object', Tree],
  ['a Valibot object', v.object({ a: v.pipe(v.string(), v.minLength(1)), b: v.optional(v.array(v.number())) })],
  ['an ArkType object', type({ a: 'string', 'b?': 'number.integer', 'c?': "'a' | 'ab'" })],
];

/** Sources listed more widely than they are: the listed form is a promise of refusal only. */
const WIDENED: readonly (readonly [string, unknown])[] = [
  [
    'a zod union',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), a: z.string() }),
      z.object({ kind: z.literal('ab'), b: z.number() }),
    ]),
  ],
  [
    'a zod intersection',
    z.intersection(z.object({ a: z.string() }), z.union([z.object({ b: z.number() }), z.object({ c: z.string() })])),
  ],
  ['a zod object that refines', z.object({ a: z.string() }).refine(({ a }) => a.length > 1)],
  ['an ArkType union', type({ kind: "'a'", a: 'string' }).or({ kind: "'ab'", 'b?': 'number' })],
];

const isDto = (source: unknown): boolean => source === Whole || source === Loose;

const defined = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function reaches(schema: ArgumentSchema, args: Record<string, unknown>): Promise<boolean> {
  return (await schema.parse(args)).ok;
}

describe('the listed schema is the enforced one', () => {
  it('for every JSON Schema: what it refuses never reaches the method, what it accepts does', async () => {
    let accepted = 0;
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(
        root,
        fc.array(object, { minLength: 10, maxLength: 10 }),
        seeds,
        async (written, others, from) => {
          const schema = compileArguments(defined(written));
          const accepts = listedAccepts(schema);
          for (const value of candidates(written, from, others)) {
            const args = value as Record<string, unknown>;
            checked += 1;
            const wanted = accepts(args);
            if (wanted) accepted += 1;
            expect(await reaches(schema, args)).toBe(wanted);
          }
        },
      ),
      { numRuns: 60 },
    );
    // Else the property would speak of refusals only.
    expect(accepted).toBeGreaterThan(checked / 10);
    expect(accepted).toBeLessThan((checked * 9) / 10);
  }, 60_000);

  it('for single arguments', async () => {
    await fc.assert(
      fc.asyncProperty(
        schema.filter((candidate) => typeof candidate === 'object' && !JSON.stringify(candidate).includes('$ref')),
        fc.array(value, { minLength: 10, maxLength: 10 }),
        seeds,
        async (written, others, from) => {
          const listed = argumentsOf([{ name: 'a', required: true, schema: defined(written) }]);
          const accepts = listedAccepts(listed);
          for (const a of candidates(written, from, others)) expect(await reaches(listed, { a })).toBe(accepts({ a }));
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);

  it.each(SOURCES)('for %s', async (_, source) => {
    const schema = compileArguments(source);
    const accepts = listedAccepts(schema);
    await fc.assert(
      fc.asyncProperty(argumentsFor(schema), async (args) => {
        // class-transformer would read a class out of `constructor`, so a DTO refuses the name even where all is allowed.
        const isUnsafe = isDto(source) && /"(constructor|__proto__)":/.test(JSON.stringify(args));
        expect(await reaches(schema, args)).toBe(accepts(args) && !isUnsafe);
      }),
      { numRuns: 400 },
    );
  });

  it.each(WIDENED)('and never more than listed reaches the method of %s', async (_, source) => {
    const schema = compileArguments(source);
    const accepts = listedAccepts(schema);
    await fc.assert(
      fc.asyncProperty(argumentsFor(schema), async (args) => {
        if (await reaches(schema, args)) expect(accepts(args)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
