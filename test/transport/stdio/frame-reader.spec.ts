import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader } from '../../../src/transport/stdio/frame-reader.js';

function read(
  text: string,
  options: { readonly maxBytes?: number; readonly sizes?: readonly number[] } = {},
): string[] {
  const heard: string[] = [];
  const reader = new FrameReader(options.maxBytes ?? 1_000, {
    line: (line) => heard.push(line),
    unreadable: (why) => heard.push(`!${why}`),
  });
  const bytes = Buffer.from(text);
  let at = 0;
  for (const size of options.sizes ?? []) {
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  reader.push(bytes.subarray(at));
  reader.end();
  return heard;
}

function frame(body: string, header = 'Content-Length'): string {
  return `${header}: ${Buffer.byteLength(body)}\r\nContent-Type: x\r\n\r\n${body}`;
}

describe('FrameReader', () => {
  it('reads frames and lines side by side', () => {
    expect(read(`${frame('{"a":\n1}')}{"b":2}\n${frame('é', 'CONTENT-length')}{"c":3}`)).toEqual([
      '{"a":\n1}',
      '{"b":2}',
      'é',
      '{"c":3}',
    ]);
  });

  it('refuses a frame beyond the bound and takes nothing inside it for a message', () => {
    const smuggled = `{"id":"smuggled"}\n${'x'.repeat(50)}\n`;
    expect(read(`${frame(smuggled)}{"id":1}\n`, { maxBytes: 40 })).toEqual(['!frame-too-long', '{"id":1}']);
  });

  it('refuses a length that is none', () => {
    expect(read('Content-Length: ten\r\n\r\n{"id":1}\n')).toEqual(['!frame-length', '{"id":1}']);
    expect(read('Content-Length: -1\r\n\r\n{"id":1}\n')).toEqual(['!frame-length', '{"id":1}']);
  });

  it('bounds each header', () => {
    expect(read(`Content-Length: 5\r\nX: ${'x'.repeat(50)}\r\n{"id":1}\n`, { maxBytes: 40 })).toEqual([
      '!line-too-long',
      '{"id":1}',
    ]);
  });

  it('drops a frame that the end of the stream cut short', () => {
    expect(read('Content-Length: 50\r\n\r\n{"id":1}')).toEqual([]);
    expect(read('Content-Length: 50\r\n')).toEqual([]);
  });

  it('takes an empty frame for nothing', () => {
    expect(read('Content-Length: 0\r\n\r\n{"id":1}\n')).toEqual(['{"id":1}']);
  });

  it('reads the same messages whatever the chunks are', () => {
    const text = `{"a":1}\n${frame('{"b":"é😀"}')}${frame('x'.repeat(80))}\r\n{"c":3}\n${frame('{}')}`;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 60 }), (sizes) => {
        expect(read(text, { maxBytes: 60, sizes })).toEqual([
          '{"a":1}',
          '{"b":"é😀"}',
          '!frame-too-long',
          '{"c":3}',
          '{}',
        ]);
      }),
      { numRuns: 200 },
    );
  });
});
