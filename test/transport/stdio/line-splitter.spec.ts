import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, type LineSink } from '../../../src/transport/stdio/line-splitter.js';

function collect(maxBytes = 1_000): { readonly heard: string[]; readonly sink: LineSink; splitter: LineSplitter } {
  const heard: string[] = [];
  const sink: LineSink = { line: (text) => heard.push(text), unreadable: (why) => heard.push(`!${why}`) };
  return { heard, sink, splitter: new LineSplitter(maxBytes, sink) };
}

function read(bytes: Uint8Array | string, maxBytes?: number): string[] {
  const { heard, splitter } = collect(maxBytes);
  splitter.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  splitter.end();
  return heard;
}

describe('LineSplitter', () => {
  it('cuts at 0x0A and nowhere else', () => {
    expect(read('a\u2028b\u0085c\rd\ne\n')).toEqual(['a\u2028b\u0085c\rd', 'e']);
  });

  it('takes CRLF, and a byte order mark before any line', () => {
    expect(read('\ufeffa\r\n\ufeffb\n')).toEqual(['a', 'b']);
  });

  it('skips blank lines', () => {
    expect(read('\n\r\n \t\n\ufeff\na\n\n')).toEqual(['a']);
  });

  it('takes a last line without newline at the end', () => {
    expect(read('a\nb')).toEqual(['a', 'b']);
  });

  it('takes a line of exactly the bound, and refuses one byte more once, without reading on in it', () => {
    const long = 'x'.repeat(10);
    expect(read(`${long}\n${long}y\nz\n`, 10)).toEqual([long, '!line-too-long', 'z']);
    expect(read(`${long}\r\nz\n`, 10)).toEqual(['!line-too-long', 'z']);
  });

  it('counts bytes, not characters', () => {
    expect(read('ééééé\n', 10)).toEqual(['ééééé']);
    expect(read('éééééé\n', 10)).toEqual(['!line-too-long']);
  });

  it('drains a line that is too long over many chunks', () => {
    const { heard, splitter } = collect(10);
    for (let n = 0; n < 100; n += 1) splitter.push(Buffer.from('{"id":1}'));
    splitter.push(Buffer.from('{"id":2}\n{"id":3}\n'));
    expect(heard).toEqual(['!line-too-long', '{"id":3}']);
  });

  it('says nothing more of a line that was too long when the stream ends in it', () => {
    expect(read('x'.repeat(20), 10)).toEqual(['!line-too-long']);
  });

  it('refuses a line that is not UTF-8 and reads the others', () => {
    const bytes = Buffer.concat([Buffer.from('a\nb'), Buffer.from([0xff]), Buffer.from('\nc\n')]);
    expect(read(bytes)).toEqual(['a', '!not-utf8', 'c']);
  });

  it('reads the same lines whatever the chunks are', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('', '\r', 'é😀', 'x'.repeat(30), '\ufeffz'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 9 })), (lines, sizes) => {
        const bytes = Buffer.from(lines.join('\n'));
        const { heard, splitter } = collect(40);
        let at = 0;
        for (const size of sizes) {
          splitter.push(bytes.subarray(at, at + size));
          at += size;
        }
        splitter.push(bytes.subarray(at));
        splitter.end();
        expect(heard).toEqual(read(bytes, 40));
      }),
      { numRuns: 300 },
    );
  });

  it('reads a large line written byte by byte without slowing down', () => {
    const { heard, splitter } = collect(1_048_576);
    const byte = Buffer.from('x');
    for (let n = 0; n < 1_048_576; n += 1) splitter.push(byte);
    splitter.push(Buffer.from('\n'));
    expect(heard.map(({ length }) => length)).toEqual([1_048_576]);
  });
});
