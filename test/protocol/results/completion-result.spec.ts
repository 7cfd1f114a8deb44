import { describe, expect, it } from 'vitest';
import { toCompletion } from '../../../src/protocol/results/completion-result.js';
import { OutputFault } from '../../../src/protocol/errors.js';
import { readResult } from '../read-result.js';

const read = (value: unknown): unknown => readResult(toCompletion(value));
const many = Array.from({ length: 130 }, (_, at) => `v${at}`);

describe('what a completion returns', () => {
  it('is values when it is an array of strings', () => {
    expect(read(['a', 'b'])).toEqual({ completion: { values: ['a', 'b'], total: 2, hasMore: false } });
    expect(read([])).toEqual({ completion: { values: [], total: 0, hasMore: false } });
    expect(read(undefined)).toEqual({ completion: { values: [], total: 0, hasMore: false } });
  });

  it('is cut to 100 values', () => {
    expect(read(many)).toEqual({ completion: { values: many.slice(0, 100), total: 130, hasMore: true } });
    expect(read({ values: many, hasMore: false })).toEqual({
      completion: { values: many.slice(0, 100), hasMore: true },
    });
  });

  it('may know of more than it gives', () => {
    expect(read({ values: ['a'], total: 7, hasMore: true })).toEqual({
      completion: { values: ['a'], total: 7, hasMore: true },
    });
    expect(read({ values: ['a'] })).toEqual({ completion: { values: ['a'] } });
  });

  it.each([
    ['a'],
    [[1]],
    [{ values: 'a' }],
    [{ values: [null] }],
    [{ values: [], total: -1 }],
    [{ values: [], total: 1.5 }],
    [{ values: [], hasMore: 'no' }],
  ])('is a fault otherwise: %j', (value) => {
    expect(() => read(value)).toThrow(OutputFault);
  });
});
