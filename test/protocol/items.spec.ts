import { describe, expect, it } from 'vitest';
import { toCompletion } from '../../src/protocol/results/completion-result.js';
import { EncodeError, OutputFault } from '../../src/protocol/errors.js';
import { toPromptResult } from '../../src/protocol/results/prompt-result.js';
import { toResourceContents } from '../../src/protocol/results/resource-contents.js';
import { REVISIONS, type Revision } from '../../src/protocol/revisions.js';
import { mcpResult, toToolResult } from '../../src/protocol/results/tool-result.js';

const [revision] = REVISIONS as readonly [Revision, ...Revision[]];

const block = { type: 'text', text: 'x' };

/** An array in name: it has no end, and every item of it is what is looked for. */
function endless(item: object): readonly never[] {
  return new Proxy<never[]>([], {
    get: (target, key) =>
      key === 'length'
        ? Number.MAX_SAFE_INTEGER
        : Object.hasOwn(Array.prototype, key)
          ? Reflect.get(target, key)
          : item,
    has: () => true,
  });
}

const unending: readonly [string, () => readonly never[]][] = [
  ['holes', () => new Array<never>(4_294_967_295)],
  ['endless items', () => endless({ ...block, uri: 'x://y', role: 'user', content: block })],
];

const readers: readonly [string, (items: readonly never[]) => unknown][] = [
  ['a tool that returns them', (items) => toToolResult(items, { revision })],
  ['a tool with such content', (items) => toToolResult({ content: items }, { revision })],
  ['a tool with such parts', (items) => toToolResult(mcpResult({ content: items }), { revision })],
  ['a resource', (items) => toResourceContents(items, { revision, uri: 'x://y' })],
  ['a resource with such contents', (items) => toResourceContents({ contents: items }, { revision, uri: 'x://y' })],
  ['a prompt', (items) => toPromptResult(items, revision)],
  ['a prompt with such messages', (items) => toPromptResult({ messages: items }, revision)],
  ['a completion', (items) => toCompletion(items)],
];

describe.each(unending)('an array of %s', (_what, made) => {
  it.each(readers)('is a fault at once, from %s', (_whose, read) => {
    const began = performance.now();
    expect(() => read(made())).toThrow(OutputFault);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe('a hole in an array', () => {
  // eslint-disable-next-line no-sparse-arrays
  const holed = [, block];

  it('is no content block', () => {
    expect(() => toToolResult(mcpResult({ content: holed as never }), { revision })).toThrow(OutputFault);
    expect(JSON.parse(`{${toToolResult(holed, { revision }).members}}`)).toMatchObject({
      structuredContent: [null, block],
    });
  });

  it('is no message, no contents and no completion', () => {
    expect(() => toPromptResult(holed, revision)).toThrow(OutputFault);
    expect(() => toResourceContents({ contents: holed }, { revision, uri: 'x://y' })).toThrow(OutputFault);
    expect(() => toCompletion(holed)).toThrow(OutputFault);
  });
});

it('content that is no array is a fault', () => {
  expect(() => toToolResult(mcpResult({ content: 5 as never }), { revision })).toThrow(OutputFault);
  expect(() => toToolResult(mcpResult({ content: 'text' as never }), { revision })).toThrow(OutputFault);
  expect(() => toToolResult(new Array(4_294_967_295), { revision })).toThrow(EncodeError);
});
