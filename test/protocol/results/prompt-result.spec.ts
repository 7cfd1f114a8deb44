import { describe, expect, it } from 'vitest';
import { OutputFault } from '../../../src/protocol/errors.js';
import { toPromptResult } from '../../../src/protocol/results/prompt-result.js';
import { REVISIONS, type Revision } from '../../../src/protocol/revisions.js';
import { readResult } from '../read-result.js';

const [modern] = REVISIONS as readonly [Revision];
const read = (value: unknown): unknown => readResult(toPromptResult(value, modern));
const said = (role: string, text: string): unknown => ({ role, content: { type: 'text', text } });

describe('what a prompt returns', () => {
  it('is one message of the user when it is a string', () => {
    expect(read('hi')).toEqual({ messages: [said('user', 'hi')] });
  });

  it('is messages when it is an array', () => {
    const image = { type: 'image', data: 'AP8B', mimeType: 'image/png' };
    expect(read(['hi', { role: 'assistant', content: 'ho' }, { role: 'user', content: image }])).toEqual({
      messages: [said('user', 'hi'), said('assistant', 'ho'), { role: 'user', content: image }],
    });
    expect(read([])).toEqual({ messages: [] });
  });

  it('may have a description and _meta', () => {
    expect(read({ messages: ['hi'], description: 'Greets', _meta: { a: 1 } })).toEqual({
      description: 'Greets',
      messages: [said('user', 'hi')],
      _meta: { a: 1 },
    });
  });

  it.each([
    [undefined, 'A prompt must return a string, an array of messages or { messages, description }'],
    [
      { role: 'user', content: 'hi' },
      'A prompt must return a string, an array of messages or { messages, description }',
    ],
    [[{ role: 'system', content: 'hi' }], 'A message of a prompt must have the role user or assistant'],
    [[{ role: 'user' }], 'A content block must be an object or a string'],
    [[{ role: 'user', content: { type: 'text' } }], 'A text block must have a text'],
    [{ messages: [], description: 5 }, 'description of a prompt must be a string'],
  ])('is a fault otherwise: %j', (value, message) => {
    expect(() => read(value)).toThrow(OutputFault);
    expect(() => read(value)).toThrow(message);
  });
});
