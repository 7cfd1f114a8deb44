import 'reflect-metadata';
import { IsEmail, IsEnum, IsInt, IsOptional, Max, MinLength } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { McpError } from '../../src/protocol/errors.js';
import { compileForm } from '../../src/schema/form-schema.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

const form = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest });

async function answer(source: unknown, content: unknown): Promise<unknown> {
  const parsed = await compileForm(source).parse(content);
  return parsed.ok ? parsed.value : parsed.violations.map(({ path, rule }) => `${path} ${rule}`);
}

describe('a form', () => {
  const written = form(
    {
      name: { type: 'string', title: 'Name', minLength: 1, maxLength: 9, default: 'Ada' },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 0, default: 3 },
      sure: { type: 'boolean', default: true },
      unit: { type: 'string', enum: ['c', 'f'] },
      size: {
        type: 'string',
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
        default: 's',
      },
      old: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
    },
    { required: ['name'] },
  );

  it('has the words of revisions with rich forms', () => {
    expect(compileForm(written).wire).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', minLength: 1, maxLength: 9, default: 'Ada' },
        mail: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 0, default: 3 },
        sure: { type: 'boolean', default: true },
        unit: { type: 'string', enum: ['c', 'f'] },
        size: {
          type: 'string',
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'l', title: 'Large' },
          ],
          default: 's',
        },
        old: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
      },
      required: ['name'],
    });
  });

  it('has the words of 2025-06-18: enumNames, and defaults of booleans only', () => {
    expect(compileForm(written).plainWire).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', minLength: 1, maxLength: 9 },
        mail: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 0 },
        sure: { type: 'boolean', default: true },
        unit: { type: 'string', enum: ['c', 'f'] },
        size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
        old: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
      },
      required: ['name'],
    });
  });

  it('may let choose several, which 2025-06-18 cannot', () => {
    const several = compileForm(
      form({
        plain: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
        titled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      }),
    );
    expect(several.wire['properties']).toEqual({
      plain: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
      titled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    });
    expect(() => several.plainWire).toThrow(McpError);
  });

  it('checks what came back and drops what was not asked for', async () => {
    expect(await answer(written, { name: 'x', more: 1 })).toEqual({ name: 'x' });
    expect(await answer(written, { mail: 'SECRET' })).toEqual(['name is required', 'mail must be a valid email']);
    expect(await answer(written, 'x')).toEqual(['content must be object']);
    expect(await answer(written, { name: 'x', size: 'm' })).toEqual(['size must be one of "s", "l"']);
  });

  it('may be a class, handed back as an instance', async () => {
    enum Size {
      Small = 's',
      Large = 'l',
    }
    class Contact {
      @IsEmail() mail!: string;
      @IsOptional() @IsInt() @Max(120) age?: number;
      @IsEnum(Size) size!: Size;
      @MinLength(2) name!: string;
    }
    expect(compileForm(Contact).wire).toEqual({
      type: 'object',
      properties: {
        mail: { type: 'string', format: 'email' },
        age: { type: 'integer', maximum: 120 },
        size: { type: 'string', enum: ['s', 'l'] },
        name: { type: 'string', minLength: 2 },
      },
      required: ['mail', 'size', 'name'],
    });
    expect(await answer(Contact, { mail: 'a@b.example', size: 's', name: 'xy' })).toBeInstanceOf(Contact);
  });

  it('may be a Standard Schema; what a form cannot say is still enforced', async () => {
    const schema = z.object({
      mail: z.email(),
      code: z.string().regex(/^\d+$/),
      n: z.number().positive(),
      kind: z.enum(['a', 'b']),
      one: z.literal('x'),
    });
    expect(compileForm(schema).wire['properties']).toEqual({
      mail: { type: 'string', format: 'email' },
      code: { type: 'string' },
      n: { type: 'number' },
      kind: { type: 'string', enum: ['a', 'b'] },
      one: { type: 'string', enum: ['x'] },
    });
    const content = { mail: 'a@b.example', code: '1', n: 1, kind: 'a', one: 'x' };
    expect(await answer(schema, content)).toEqual(content);
    expect(await answer(schema, { ...content, code: 'x', n: 0 })).toEqual([
      'code must match the pattern ^\\d+$',
      'n must be > 0',
    ]);
  });

  it('is compiled once for a source, and once for a text', () => {
    const literal = (): object => form({ a: { type: 'string' } });
    const source = literal();
    expect(compileForm(source)).toBe(compileForm(source));
    expect(compileForm(literal()).wire).toBe(compileForm(literal()).wire);
  });

  it.each([
    ['nesting', form({ a: { type: 'object', properties: {} } }), /property a/],
    ['a list of anything', form({ a: { type: 'array', items: { type: 'string' } } }), /property a: a list/],
    ['a union', form({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), /property a/],
    ['null', form({ a: { type: ['string', 'null'] } }), /property a/],
    ['numbers to choose from', form({ a: { type: 'number', enum: [1, 2] } }), /property a: keyword "enum"/],
    ['a keyword that forms have not', form({ a: { type: 'string', pattern: 'x' } }), /property a: keyword "pattern"/],
    ['a format that forms have not', form({ a: { type: 'string', format: 'ipv4' } }), /property a: format "ipv4"/],
    ['a combinator at the root', form({}, { anyOf: [] }), /keyword "anyOf"/],
    ['a root that is no object', { type: 'string' }, /must be an object/],
    ['a property that is no schema', form({ a: true }), /property a/],
    ['nothing', undefined, /JSON Schema object/],
  ])('refuses %s', (_, source, message) => {
    expect(() => compileForm(source)).toThrow(SchemaFault);
    expect(() => compileForm(source)).toThrow(message);
  });
});
