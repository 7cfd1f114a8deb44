import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { argumentsOf } from '../../src/schema/arguments-of.js';
import { compileArguments } from '../../src/schema/compile-arguments.js';
import { promptArguments } from '../../src/schema/prompt-arguments.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

describe('the arguments of a prompt', () => {
  it('are listed from its parameters', () => {
    const input = argumentsOf([
      { name: 'place', type: String, title: 'Place', description: 'Where', required: true },
      { name: 'unit', schema: { enum: ['c', 'f'] }, required: false },
    ]);
    expect(promptArguments(input)).toEqual([
      { name: 'place', title: 'Place', description: 'Where', required: true },
      { name: 'unit', required: false },
    ]);
  });

  it('are listed from a schema', () => {
    const input = compileArguments(
      z.object({ place: z.string().describe('Where'), days: z.string().transform(Number).optional() }),
    );
    expect(promptArguments(input)).toEqual([
      { name: 'place', description: 'Where', required: true },
      { name: 'days', required: false },
    ]);
    const written = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, b: { anyOf: [{ const: 'x' }, { type: 'string' }] } },
      $defs: { a: { type: 'string' } },
    };
    expect(promptArguments(compileArguments(written))).toEqual([
      { name: 'a', required: false },
      { name: 'b', required: false },
    ]);
    expect(promptArguments(compileArguments(undefined))).toEqual([]);
  });

  it.each([
    ['a number', { type: 'number' }],
    ['anything', {}],
    ['a string or null', { type: ['string', 'null'] }],
    ['a string or a number', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['one of strings and numbers', { enum: ['a', 1] }],
  ])('may not be %s', (_, schema) => {
    const input = compileArguments({ type: 'object', properties: { n: schema } });
    expect(() => promptArguments(input)).toThrow(SchemaFault);
    expect(() => promptArguments(input)).toThrow(/"n"/);
  });
});
