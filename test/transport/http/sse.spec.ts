import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SSE_KEEP_ALIVE, sseEvent, ssePriming, sseRetry } from '../../../src/transport/http/sse.js';

interface Parsed {
  readonly data: string;
  readonly id: string;
}

/** What a client makes of a stream, after the WHATWG rules. */
function parse(text: string): Parsed[] {
  const events: Parsed[] = [];
  let data: string[] = [];
  let id = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === '') {
      if (data.length > 0) events.push({ data: data.join('\n'), id });
      data = [];
      continue;
    }
    if (line.startsWith(':')) continue;
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'id') id = value;
  }
  return events;
}

describe('an event', () => {
  it('is one line of data, with an id where there is one', () => {
    expect(sseEvent('{"a":1}')).toBe('data: {"a":1}\n\n');
    expect(sseEvent('{}', 's-1')).toBe('id: s-1\ndata: {}\n\n');
  });

  it('says what it was given, line breaks of any kind as such', () => {
    expect(sseEvent('a\nb')).toBe('data: a\ndata: b\n\n');
    expect(sseEvent('\r\n\r')).toBe('data: \ndata: \ndata: \n\n');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', ' ', ':', '\r', '\n', 'é', '\u2028') })), (texts) => {
        const said = parse(texts.map((text) => sseEvent(text)).join('')).map(({ data }) => data);
        expect(said).toEqual(texts.map((text) => text.replaceAll(/\r\n|\r/g, '\n')));
      }),
      { numRuns: 200 },
    );
  });

  it('cannot be forged from data', () => {
    expect(parse(sseEvent('x\n\ndata: forged\n\n', 'i'))).toEqual([{ data: 'x\n\ndata: forged\n\n', id: 'i' }]);
  });
});

it('priming gives an id and a time to come back, and no data', () => {
  expect(ssePriming('s-0', 3_000)).toBe('id: s-0\nretry: 3000\ndata: \n\n');
});

it('retry and keep-alive are no events', () => {
  expect(parse(`${sseRetry(5)}${SSE_KEEP_ALIVE}`)).toEqual([]);
});
