import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResultSchema } from '../../../src/protocol/catalog/entries.js';
import { EncodeError, OutputFault } from '../../../src/protocol/errors.js';
import { findRevision, REVISIONS, type Revision } from '../../../src/protocol/revisions.js';
import {
  mcpResult,
  toToolError,
  toToolResult,
  type ToolResultText,
} from '../../../src/protocol/results/tool-result.js';
import { readResult } from '../read-result.js';

function revision(name: string): Revision {
  const found = findRevision(name);
  if (found === undefined) throw new Error(name);
  return found;
}

const modern = revision('2026-07-28');
const november = revision('2025-11-25');
const june = revision('2025-06-18');
const march = revision('2025-03-26');

/** Accepts objects with a numeric id and cuts all else. */
const idSchema: ResultSchema = {
  wire: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
  parse: (value) => {
    const id = (value as { id?: unknown } | null)?.id;
    return typeof id === 'number'
      ? { ok: true, value: { id } }
      : { ok: false, violations: [{ path: 'id', rule: 'must be number' }] };
  },
};

function schemaOf(type: string, accepts: (value: unknown) => boolean): ResultSchema {
  return {
    wire: { type },
    parse: (value) =>
      accepts(value) ? { ok: true, value } : { ok: false, violations: [{ path: 'result', rule: `must be ${type}` }] },
  };
}

const read = (result: ToolResultText): unknown => readResult(result);
const result = (value: unknown, at = modern, output?: ResultSchema): unknown =>
  read(toToolResult(value, { revision: at, ...(output && { output }) }));
const text = (...texts: string[]): unknown => texts.map((item) => ({ type: 'text', text: item }));

describe('what a tool returns', () => {
  it('is one text block when it is a string', () => {
    expect(result('say "hi"')).toEqual({ content: text('say "hi"'), isError: false });
    expect(result('')).toEqual({ content: text(''), isError: false });
    expect(result('a\ud83d')).toEqual({ content: text('a\ufffd'), isError: false });
  });

  it.each([[{ count: 3 }], [[1, 'a']], [[]], [{}], [0], [false], [true], [1.5]])(
    'is structured content and its JSON as text: %j',
    (value) => {
      expect(result(value)).toEqual({ content: text(JSON.stringify(value)), structuredContent: value, isError: false });
    },
  );

  it.each([undefined, null])('is empty content when it is %s', (value) => {
    expect(result(value)).toEqual({ content: [], isError: false });
  });

  it.each([
    [Number.NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [-Infinity, '-Infinity'],
    [1n, '1'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new URL('http://h/'), 'http://h/'],
  ])('is a word as text: %s', (value, word) => {
    expect(result(value)).toEqual({ content: text(word), isError: false });
  });

  it('is made JSON first: dates, big integers, maps, sets, instances', () => {
    class Row {
      readonly at = new Date(0);
      readonly big = 9007199254740993n;
    }
    const json = { at: '1970-01-01T00:00:00.000Z', big: '9007199254740993' };
    expect(result(new Row())).toMatchObject({ structuredContent: json, content: text(JSON.stringify(json)) });
    expect(result(new Map([['a', new Set([1])]]))).toMatchObject({ structuredContent: { a: [1] } });
  });

  it.each([[() => 1], [Symbol('x')]])('is a fault when it is a function or symbol', (value) => {
    expect(() => result(value)).toThrow(OutputFault);
  });

  it('is a fault when it has no JSON form', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => result(loop)).toThrow(EncodeError);
    expect(() => result({ mean: Number.NaN })).toThrow('mean is NaN, which is no JSON number');
  });

  it('is its own block when it is bytes', () => {
    const bytes = Buffer.from([0, 255, 16]);
    expect(read(toToolResult(bytes, { revision: modern, mimeType: 'image/png' }))).toEqual({
      content: [{ type: 'image', data: 'AP8Q', mimeType: 'image/png' }],
      isError: false,
    });
    expect(result(bytes)).toMatchObject({ content: [{ type: 'resource', resource: { blob: 'AP8Q' } }] });
  });

  it('passes content blocks, one or many', () => {
    const image = { type: 'image', data: 'AP8Q', mimeType: 'image/png' };
    expect(result(image)).toEqual({ content: [image], isError: false });
    expect(result([image, { type: 'text', text: 'x' }])).toEqual({
      content: [image, { type: 'text', text: 'x' }],
      isError: false,
    });
  });

  it('is data when it only resembles content blocks', () => {
    const value = [{ type: 'text' }];
    expect(result(value)).toEqual({ content: text('[{"type":"text"}]'), structuredContent: value, isError: false });
    const page = { content: [{ type: 'paragraph', text: 'x' }] };
    expect(result(page)).toMatchObject({ structuredContent: page });
    const paged = { content: [], total: 0 };
    expect(result(paged)).toMatchObject({ structuredContent: paged });
  });

  it('passes whole results after a check', () => {
    const whole = { content: text('x'), structuredContent: { a: 1 }, isError: false, _meta: { m: 1 } };
    expect(result(whole)).toEqual(whole);
    expect(result({ content: [] })).toEqual({ content: [], isError: false });
    expect(result({ content: text('bad'), isError: true })).toEqual({ content: text('bad'), isError: true });
    expect(result({ structuredContent: { a: 1 } })).toEqual({
      content: text('{"a":1}'),
      structuredContent: { a: 1 },
      isError: false,
    });
    expect(() => result({ content: [{ type: 'text' }] })).toThrow('A text block must have a text');
    expect(() => result({ content: 'x', structuredContent: {} })).toThrow('content must be an array');
    expect(() => result({ content: [], isError: 'yes' })).toThrow('isError must be a boolean');
    expect(() => result({ content: [], _meta: 1 })).toThrow('_meta must be an object');
  });
});

describe('mcpResult', () => {
  it('builds mixed results', () => {
    const made = mcpResult({
      content: ['hi', { type: 'image', data: Uint8Array.of(1), mimeType: 'image/png' }],
      structured: { count: 3 },
      meta: { usage: 7 },
    });
    expect(result(made)).toEqual({
      content: [
        { type: 'text', text: 'hi' },
        { type: 'image', data: 'AQ==', mimeType: 'image/png' },
      ],
      structuredContent: { count: 3 },
      isError: false,
      _meta: { usage: 7 },
    });
  });

  it('writes structured content as text when there is no content', () => {
    expect(result(mcpResult({ structured: { count: 3 } }))).toMatchObject({ content: text('{"count":3}') });
  });

  it('adds the JSON text to content where structured content is no object', () => {
    expect(result(mcpResult({ content: ['two'], structured: [1, 2] }))).toMatchObject({
      content: text('two', '[1,2]'),
    });
  });

  it('may be an error', () => {
    expect(result(mcpResult({ content: ['no'], isError: true }))).toEqual({ content: text('no'), isError: true });
    expect(toToolResult(mcpResult({ isError: true }), { revision: modern }).isError).toBe(true);
  });
});

describe('a tool with an output schema', () => {
  it('has its result cut in both forms', () => {
    expect(result({ id: 1, password: 'hunter2' }, modern, idSchema)).toEqual({
      content: text('{"id":1}'),
      structuredContent: { id: 1 },
      isError: false,
    });
    expect(
      JSON.stringify(result(mcpResult({ structured: { id: 1, password: 'hunter2' } }), modern, idSchema)),
    ).not.toContain('hunter2');
  });

  it('is checked on the JSON form of its result', () => {
    const seen: unknown[] = [];
    const schema = schemaOf('object', (value) => seen.push(value) > 0);
    result({ at: new Date(0), gone: undefined }, modern, schema);
    expect(seen).toEqual([{ at: '1970-01-01T00:00:00.000Z' }]);
    expect(Object.keys(seen[0] as object)).toEqual(['at']);
  });

  it.each([
    ['a result that breaks it', { id: 'x' }, /^The result breaks its output schema: id must be number$/],
    ['nothing', undefined, /structured content is missing/],
    ['null', null, /breaks its output schema/],
    ['ready content only', text('x'), /breaks its output schema/],
    ['a whole result without structured content', { content: text('x') }, /breaks its output schema/],
    ['mcpResult without structured content', mcpResult({ content: ['x'] }), /structured content is missing/],
    ['NaN', Number.NaN, /is NaN/],
  ])('makes a fault of %s', (_name, value, message) => {
    expect(() => result(value, modern, idSchema)).toThrow(OutputFault);
    expect(() => result(value, modern, idSchema)).toThrow(message);
  });

  it('checks nothing of an error, which carries no structured content', () => {
    const failed = { content: text('broken'), structuredContent: { any: 1 }, isError: true };
    expect(result(failed, modern, idSchema)).toEqual({ content: text('broken'), isError: true });
    expect(result(mcpResult({ content: ['broken'], isError: true }), modern, idSchema)).toEqual({
      content: text('broken'),
      isError: true,
    });
    expect(result({ content: text('broken'), isError: true }, modern, idSchema)).toEqual({
      content: text('broken'),
      isError: true,
    });
  });

  it('may ask for a value that looks like content', () => {
    const block = { type: 'text', text: 'x' };
    expect(
      result(
        block,
        modern,
        schemaOf('object', () => true),
      ),
    ).toMatchObject({ structuredContent: block });
  });

  it('may ask for text, null or a list: the text form is JSON where structured content is sent', () => {
    expect(
      result(
        'x',
        modern,
        schemaOf('string', () => true),
      ),
    ).toEqual({ content: text('"x"'), structuredContent: 'x', isError: false });
    expect(
      result(
        'x',
        june,
        schemaOf('string', () => true),
      ),
    ).toEqual({ content: text('x'), isError: false });
    expect(
      result(
        null,
        modern,
        schemaOf('null', () => true),
      ),
    ).toEqual({ content: text('null'), structuredContent: null, isError: false });
  });
});

describe('structured content by revision', () => {
  it('does not exist in 2025-03-26', () => {
    expect(result({ a: 1 }, march)).toEqual({ content: text('{"a":1}'), isError: false });
    expect(result({ id: 1 }, march, idSchema)).toEqual({ content: text('{"id":1}'), isError: false });
  });

  it.each([june, november])('is objects under an object root in $name', (at) => {
    expect(result({ id: 1 }, at, idSchema)).toMatchObject({ structuredContent: { id: 1 } });
    expect(result({ id: 1 }, at)).toMatchObject({ structuredContent: { id: 1 } });
    expect(result([1], at)).toEqual({ content: text('[1]'), isError: false });
    expect(result(5, at)).toEqual({ content: text('5'), isError: false });
    const open: ResultSchema = { wire: {}, parse: (value) => ({ ok: true, value }) };
    expect(result({ id: 1 }, at, open)).toEqual({ content: text('{"id":1}'), isError: false });
    expect(
      result(
        [1],
        at,
        schemaOf('array', () => true),
      ),
    ).toEqual({ content: text('[1]'), isError: false });
  });
});

describe('an error for the model', () => {
  it('is its text', () => {
    expect(read(toToolError('No such place', undefined, { revision: modern }))).toEqual({
      content: text('No such place'),
      isError: true,
    });
  });

  it('carries data as text, and as structured content where no output schema speaks', () => {
    const data = { near: ['Oslo'] };
    expect(read(toToolError('No', data, { revision: modern }))).toEqual({
      content: text('No', '{"near":["Oslo"]}'),
      structuredContent: data,
      isError: true,
    });
    expect(read(toToolError('No', data, { revision: modern, output: idSchema }))).toEqual({
      content: text('No', '{"near":["Oslo"]}'),
      isError: true,
    });
    expect(read(toToolError('No', [1], { revision: june }))).toEqual({ content: text('No', '[1]'), isError: true });
    expect(read(toToolError('No', 'why', { revision: modern }))).toMatchObject({
      content: text('No', '"why"'),
      structuredContent: 'why',
    });
  });
});

describe('any value in any revision', () => {
  it('gives a result with valid content, or an OutputFault', () => {
    const value = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
      fc.record(
        {
          content: fc.anything(),
          structuredContent: fc.anything(),
          isError: fc.anything(),
          type: fc.constantFrom('text', 'image'),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(value, fc.constantFrom(...REVISIONS), fc.boolean(), (returned, at, declared) => {
        let made: { content: { type: string; text?: string }[]; structuredContent?: unknown; isError: boolean };
        try {
          made = result(returned, at, declared ? schemaOf('object', () => true) : undefined) as typeof made;
        } catch (error) {
          expect(error).toBeInstanceOf(OutputFault);
          return;
        }
        expect(Array.isArray(made.content)).toBe(true);
        for (const block of made.content) if (block.type === 'text') expect(typeof block.text).toBe('string');
        if (at.structured === 'none') expect(made).not.toHaveProperty('structuredContent');
        if (declared && at.structured === 'any' && !made.isError) expect(made).toHaveProperty('structuredContent');
      }),
      { numRuns: 1000 },
    );
  });
});
