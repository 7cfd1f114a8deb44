import { describe, expect, it } from 'vitest';
import { metaText } from '../../../src/protocol/results/result-text.js';

describe('_meta of an author', () => {
  it('does not speak for the server', () => {
    expect(metaText({ 'io.modelcontextprotocol/serverInfo': { name: 'other' }, usage: 1 })).toBe('"usage":1');
    expect(metaText({ 'io.modelcontextprotocol/serverInfo': {} })).toBeUndefined();
  });

  it('is absent when empty and refused when no object', () => {
    expect(metaText(undefined)).toBeUndefined();
    expect(metaText({})).toBeUndefined();
    expect(metaText({ a: undefined })).toBeUndefined();
    expect(() => metaText([])).toThrow('_meta must be an object');
  });
});
