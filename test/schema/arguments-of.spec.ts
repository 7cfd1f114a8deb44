import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Parsed } from '../../src/protocol/catalog/entries.js';
import { argumentsOf, type ArgumentParameter } from '../../src/schema/arguments-of.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

class Place {
  @IsString() city!: string;
}

class Trip {
  @ValidateNested({ each: true }) @Type(() => Place) stops!: Place[];
  @IsInt() days!: number;
}

const argument = (name: string, rest: Partial<ArgumentParameter> = {}): ArgumentParameter => ({
  name,
  required: true,
  ...rest,
});

async function parse(parameters: readonly ArgumentParameter[], args: Record<string, unknown>): Promise<Parsed> {
  return argumentsOf(parameters).parse(args);
}

async function violations(
  parameters: readonly ArgumentParameter[],
  args: Record<string, unknown>,
): Promise<readonly string[]> {
  const parsed = await parse(parameters, args);
  return parsed.ok ? [] : parsed.violations.map(({ path, rule }) => `${path} ${rule}`);
}

describe('the schema of parameters', () => {
  it('is made of their types', () => {
    const { wire } = argumentsOf([
      argument('text', { type: String, title: 'Text', description: 'What to say' }),
      argument('count', { type: Number }),
      argument('loud', { type: Boolean, required: false }),
      argument('list', { type: Array }),
      argument('any', { type: Object }),
    ]);
    expect(wire).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', title: 'Text', description: 'What to say' },
        count: { type: 'number' },
        loud: { type: 'boolean' },
        list: { type: 'array', items: {} },
        any: {},
      },
      required: ['text', 'count', 'list', 'any'],
      additionalProperties: false,
    });
  });

  it('without parameters takes nothing', () => {
    expect(argumentsOf([]).wire).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  it('takes a schema from each kind of source', async () => {
    const parameters = [
      argument('days', { type: Number, schema: { type: 'integer', minimum: 1 } }),
      argument('unit', { type: String, schema: { enum: ['c', 'f'] } }),
      argument('trip', { type: Trip }),
      argument('n', { type: Number, schema: z.string().transform(Number) }),
      argument('later', {
        schema: z.string().refine(async (text) => Promise.resolve(text === 'x'), 'must be x'),
        required: false,
      }),
    ];
    const { wire } = argumentsOf(parameters);
    expect(wire['properties']).toMatchObject({
      days: { type: 'integer', minimum: 1 },
      unit: { enum: ['c', 'f'] },
      trip: { type: 'object', properties: { stops: { type: 'array', items: { type: 'object' } } } },
      n: { type: 'string' },
    });
    const args = { days: 1, unit: 'c', trip: { stops: [{ city: 'Oslo' }], days: 1 }, n: '5' };
    const parsed = argumentsOf(parameters).parse(args);
    expect(parsed).not.toBeInstanceOf(Promise);
    expect(parsed).toMatchObject({ ok: true, value: { days: 1, n: 5 } });
    const value = (parsed as { value: { trip: Trip } }).value;
    expect(value.trip).toBeInstanceOf(Trip);
    expect(value.trip.stops[0]).toBeInstanceOf(Place);
    expect(args.n).toBe('5');
    expect(await violations(parameters, { ...args, later: 'y' })).toEqual(['later must be x']);
    expect((await parse(parameters, { ...args, later: 'x' })).ok).toBe(true);
  });

  it('names the path of each violation', async () => {
    const list = [argument('list', { schema: z.array(z.string().refine((text) => text === 'x', 'must be x')) })];
    expect(await violations(list, { list: ['x', 'y'] })).toEqual(['list[1] must be x']);
    expect(await violations([argument('trip', { type: Trip })], { trip: { stops: [{ city: 1 }], days: 1 } })).toEqual([
      'trip.stops[0].city must be string',
    ]);
    expect(await violations([argument('a', { type: String })], { b: 1 })).toEqual([
      'a is required',
      'b is not allowed',
    ]);
  });

  it('inlines the definitions of each argument and keeps recursion', async () => {
    const node = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } };
    const parameters = [
      argument('a/b', {
        schema: { $defs: { day: { type: 'string' } }, type: 'array', items: { $ref: '#/$defs/day' } },
      }),
      argument('tree', { schema: node }),
      argument('other', { schema: node }),
    ];
    const { wire } = argumentsOf(parameters);
    expect(wire['properties']).toMatchObject({ 'a/b': { type: 'array', items: { type: 'string' } } });
    expect(Object.keys(wire['$defs'] as object)).toEqual(['tree', 'other']);
    expect(
      await violations(parameters, { 'a/b': ['x'], tree: { kids: [{ kids: [] }] }, other: { kids: [{ kids: 1 }] } }),
    ).toEqual(['other.kids[0].kids must be array']);
  });

  it('hands the same object on when nothing is transformed', async () => {
    const args = { a: 'x' };
    const parsed = await parse([argument('a', { type: String })], args);
    expect(parsed.ok && parsed.value).toBe(args);
  });

  it.each([
    ['without any type', argument('when'), /argument "when": its type is not known/],
    ['of a type that JSON has not', argument('when', { type: Date }), /argument "when": type Date has no JSON form/],
    ['of a class without decorators', argument('what', { type: class Thing {} }), /argument "what": .*Thing/],
    [
      'with a schema that cannot be used',
      argument('x', { schema: { type: 'string', formt: 'date' } }),
      /argument "x": unknown keyword "formt"/,
    ],
  ])('refuses a parameter %s', (_, parameter, message) => {
    expect(() => argumentsOf([parameter])).toThrow(SchemaFault);
    expect(() => argumentsOf([parameter])).toThrow(message);
  });

  it('refuses two parameters of one name', () => {
    expect(() => argumentsOf([argument('a', { type: String }), argument('a', { type: Number })])).toThrow(
      /"a" is declared twice/,
    );
  });
});
