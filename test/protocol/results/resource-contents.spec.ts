import { describe, expect, it } from 'vitest';
import { McpNotFound, OutputFault } from '../../../src/protocol/errors.js';
import { toResourceContents } from '../../../src/protocol/results/resource-contents.js';
import { REVISIONS, type Revision } from '../../../src/protocol/revisions.js';
import { readResult } from '../read-result.js';

const [modern] = REVISIONS as readonly [Revision];
const uri = 'a://b';

function read(value: unknown, mimeType?: string): unknown {
  return readResult(toResourceContents(value, { revision: modern, uri, ...(mimeType !== undefined && { mimeType }) }));
}

describe('what a resource returns', () => {
  it('is text when it is a string', () => {
    expect(read('x')).toEqual({ contents: [{ uri, text: 'x' }] });
    expect(read('', 'text/markdown')).toEqual({ contents: [{ uri, mimeType: 'text/markdown', text: '' }] });
  });

  it('is a blob when it is bytes', () => {
    expect(read(Buffer.from([0, 255, 1]), 'image/png')).toEqual({
      contents: [{ uri, mimeType: 'image/png', blob: 'AP8B' }],
    });
  });

  it.each([
    [{ a: 1 }, '{"a":1}'],
    [[{ id: 1 }], '[{"id":1}]'],
    [[], '[]'],
    [5, '5'],
    [false, 'false'],
    [new Map([['a', new Date(0)]]), '{"a":"1970-01-01T00:00:00.000Z"}'],
  ])('is JSON text when it is data: %j', (value, text) => {
    expect(read(value)).toEqual({ contents: [{ uri, mimeType: 'application/json', text }] });
  });

  it('is a word as text when it is no JSON number', () => {
    expect(read(Number.NaN)).toEqual({ contents: [{ uri, text: 'NaN' }] });
    expect(read(5n)).toEqual({ contents: [{ uri, text: '5' }] });
  });

  it('is contents, checked, when it is an array of them', () => {
    const items = [
      { uri, text: 'x' },
      { uri: 'a://c', mimeType: 'image/png', blob: Uint8Array.of(0, 255, 1) },
    ];
    const expected = [
      { uri, mimeType: 'text/plain', text: 'x' },
      { uri: 'a://c', mimeType: 'image/png', blob: 'AP8B' },
    ];
    expect(read(items, 'text/plain')).toEqual({ contents: expected });
    expect(read({ contents: items, _meta: { a: 1 } }, 'text/plain')).toEqual({ contents: expected, _meta: { a: 1 } });
  });

  it.each([undefined, null, { contents: [] }])('is not found when it is %j', (value) => {
    expect(() => read(value)).toThrow(McpNotFound);
  });

  it.each([
    [[{ uri, text: 'x', blob: 'AP8B' }]],
    [[{ text: 'x' }]],
    [[{ uri: 'no scheme', text: 'x' }]],
    [{ contents: [{ uri }] }],
    [{ contents: ['x'] }],
    [[{ uri, blob: 'not base64!' }]],
    [() => 1],
  ])('is a fault when its contents are broken: %j', (value) => {
    expect(() => read(value)).toThrow(OutputFault);
  });
});
