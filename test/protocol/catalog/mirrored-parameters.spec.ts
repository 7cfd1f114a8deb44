import { describe, expect, it } from 'vitest';
import { findMirroredParameters, valueAt } from '../../../src/protocol/catalog/mirrored-parameters.js';

const annotated = (name: unknown, type: unknown = 'string'): Record<string, unknown> => ({
  type,
  'x-mcp-header': name,
});
const object = (properties: object): Record<string, unknown> => ({ type: 'object', properties });

describe('x-mcp-header annotations', () => {
  it('are found at properties, nested ones too', () => {
    const schema = object({
      region: annotated('Region'),
      limit: annotated('Limit', 'integer'),
      plain: { type: 'string' },
      outer: object({ dry: annotated('Dry-Run', 'boolean') }),
      yes: true,
    });
    expect(findMirroredParameters(schema)).toEqual({
      parameters: [
        { header: 'Mcp-Param-Region', path: ['region'], type: 'string' },
        { header: 'Mcp-Param-Limit', path: ['limit'], type: 'integer' },
        { header: 'Mcp-Param-Dry-Run', path: ['outer', 'dry'], type: 'boolean' },
      ],
      faults: [],
    });
  });

  it('may name Method and Name', () => {
    expect(findMirroredParameters(object({ a: annotated('Method'), b: annotated('Name') })).faults).toEqual([]);
  });

  it('are not mistaken for a property of that name, nor for data', () => {
    const schema = {
      ...object({ 'x-mcp-header': { type: 'string', default: annotated('X'), enum: [annotated('Y')] } }),
      examples: [annotated('Z')],
    };
    expect(findMirroredParameters(schema)).toEqual({ parameters: [], faults: [] });
  });

  it.each(['', 'a b', 'a:b', 'é', 'a\n', 5, null, true])('are refused with the name %j', (name) => {
    expect(findMirroredParameters(object({ outer: object({ a: annotated(name) }) }))).toEqual({
      parameters: [],
      faults: ['x-mcp-header of "outer.a" must be a non-empty HTTP token'],
    });
  });

  it.each(['number', 'object', 'array', 'null', ['string', 'null'], ['string'], undefined])(
    'are refused with the type %j',
    (type) => {
      const schema = object({ a: { 'x-mcp-header': 'A', ...(type === undefined ? { $ref: '#/$defs/a' } : { type }) } });
      expect(findMirroredParameters(schema)).toEqual({
        parameters: [],
        faults: ['x-mcp-header of "a" needs the type string, integer or boolean, and no union'],
      });
    },
  );

  it('are refused when names differ in case alone', () => {
    const { parameters, faults } = findMirroredParameters(
      object({ a: annotated('Region'), b: object({ c: annotated('region') }) }),
    );
    expect(parameters).toHaveLength(1);
    expect(faults).toEqual(['x-mcp-header of "b.c" repeats the header Mcp-Param-region']);
  });

  it.each([
    { items: annotated('A') },
    { items: [annotated('A')] },
    { prefixItems: [object({ a: annotated('A') })] },
    { oneOf: [object({ a: annotated('A') })] },
    { anyOf: [{ allOf: [annotated('A')] }] },
    { not: annotated('A') },
    { if: object({ a: annotated('A') }) },
    { then: annotated('A') },
    { else: annotated('A') },
    { $defs: { a: annotated('A') } },
    { definitions: { a: annotated('A') } },
    { dependentSchemas: { a: annotated('A') } },
    { patternProperties: { '^a': annotated('A') } },
    { additionalProperties: annotated('A') },
    { properties: { list: { type: 'array', items: object({ a: annotated('A') }) } } },
    annotated('A', 'object'),
  ])('are refused elsewhere: %j', (schema) => {
    const { parameters, faults } = findMirroredParameters({ type: 'object', ...schema });
    expect(parameters).toEqual([]);
    expect(faults).toHaveLength(1);
  });
});

describe('the value at a path', () => {
  it('is read through own properties', () => {
    expect(valueAt({ outer: { inner: 0 } }, ['outer', 'inner'])).toBe(0);
    expect(valueAt({ outer: null }, ['outer'])).toBeNull();
  });

  it('is undefined where something is missing or inherited', () => {
    expect(valueAt({ outer: 'x' }, ['outer', 'length'])).toBeUndefined();
    expect(valueAt({ outer: [1] }, ['outer', '0'])).toBeUndefined();
    expect(valueAt({}, ['constructor', 'name'])).toBeUndefined();
    expect(valueAt(undefined, ['a'])).toBeUndefined();
  });
});
