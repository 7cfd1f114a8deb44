import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../src/protocol/catalog/cursor.js';
import { ProtocolError } from '../../../src/protocol/errors.js';

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

function faultOf(cursor: unknown, kind = 'tools'): unknown {
  try {
    decodeCursor(cursor, kind);
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError);
    const { code, message, status, data } = error as ProtocolError;
    expect({ code, status, data }).toEqual({ code: -32602, status: 200, data: undefined });
    return message;
  }
  throw new Error('was accepted');
}

describe('a cursor', () => {
  it('gives back the key of its position', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('tools', 'resources', 'prompts'), (key, kind) => {
        const cursor = encodeCursor(kind, key);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor, kind)).toBe(key);
        expect(encodeCursor(kind, key)).toBe(cursor);
      }),
    );
  });

  it('survives keys that are no Unicode', () => {
    expect(decodeCursor(encodeCursor('tools', 'a\ud83d'), 'tools')).toBe('a\ud83d');
  });

  it('has a fixed form', () => {
    expect(encodeCursor('tools', 'écho')).toBe(base64url('{"v":1,"k":"tools","a":"écho"}'));
  });

  it.each([undefined, null])('is the first page when it is %s', (cursor) => {
    expect(decodeCursor(cursor, 'tools')).toBeUndefined();
  });

  it.each([
    '',
    'zzz',
    5,
    {},
    [],
    true,
    'é',
    `${encodeCursor('tools', 'a')}=`,
    base64url('[1]'),
    base64url('null'),
    base64url('{"v":2,"k":"tools","a":"x"}'),
    base64url('{"v":1,"k":"tools"}'),
    base64url('{"v":1,"k":5,"a":"x"}'),
    base64url('{"v":1,"k":"tools","a":"x","a":"y"}'),
    base64url(`${'['.repeat(65)}${']'.repeat(65)}`),
    Buffer.from([0xff, 0xfe]).toString('base64url'),
  ])('is malformed: %j', (cursor) => {
    expect(faultOf(cursor)).toBe('cursor is malformed');
  });

  it('of another list is refused without echo', () => {
    expect(faultOf(encodeCursor('secret', 'a'), 'prompts')).toBe('cursor belongs to another list, not prompts');
  });

  it('of any text is one of this list, or malformed, and nothing else comes of it', () => {
    const characters = fc.string({ unit: fc.constantFrom(...'AZaz09_-=.%é{'), maxLength: 40 });
    const inside = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc
        .record({ v: fc.constantFrom(1, 2, '1'), k: fc.constantFrom('tools', 1), a: fc.jsonValue() })
        .map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }).map((key) => JSON.stringify({ v: 1, k: 'tools', a: key })),
    );
    fc.assert(
      fc.property(fc.oneof(characters, inside.map(base64url)), (text) => {
        let key: string | undefined;
        try {
          key = decodeCursor(text, 'tools');
        } catch {
          expect(faultOf(text)).toBe('cursor is malformed');
          return;
        }
        expect(decodeCursor(encodeCursor('tools', key ?? ''), 'tools')).toBe(key);
      }),
      { numRuns: 1_000 },
    );
  });
});
