import { describe, expect, it } from 'vitest';
import { joinResult, metaText } from '../../src/protocol/result-text.js';

describe('joining a result and its envelope', () => {
  it('is an empty object when there is nothing', () => {
    expect(joinResult({ members: '' })).toBe('{}');
  });

  it('puts the envelope first and makes one _meta of two', () => {
    const envelope = { members: '"resultType":"complete"', meta: '"s":1' };
    expect(joinResult({ members: '"content":[]', meta: '"m":2' }, envelope)).toBe(
      '{"resultType":"complete","content":[],"_meta":{"s":1,"m":2}}',
    );
    expect(joinResult({ members: '' }, envelope)).toBe('{"resultType":"complete","_meta":{"s":1}}');
    expect(joinResult({ members: '"a":1', meta: '"m":2' })).toBe('{"a":1,"_meta":{"m":2}}');
  });
});

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
