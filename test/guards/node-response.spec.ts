import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addVary, takeOver } from '../../src/guards/node-response.js';

function nodeResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

describe('taking over a response', () => {
  it('is the same object on Express', () => {
    const response = nodeResponse();
    expect(takeOver(response)).toBe(response);
  });

  it('takes what the host set on a Fastify reply to the node response, once', () => {
    const raw = nodeResponse();
    raw.setHeader('vary', 'Origin');
    let hijacked = 0;
    const reply = {
      raw,
      getHeaders: () => ({
        'x-frame-options': 'DENY',
        'set-cookie': ['a=1', 'b=2'],
        vary: 'Accept-Encoding',
        gone: undefined,
      }),
      hijack: () => (hijacked += 1),
    };
    expect(takeOver(reply)).toBe(raw);
    expect(hijacked).toBe(1);
    expect(raw.getHeaders()).toEqual({
      'x-frame-options': 'DENY',
      'set-cookie': ['a=1', 'b=2'],
      vary: 'Origin, Accept-Encoding',
    });
  });

  it.each([
    [undefined, 'Origin', 'Origin'],
    ['Origin', 'origin', 'Origin'],
    ['A, B', 'B, C', 'A, B, C'],
    [['A', 'B'], 'C', 'A, B, C'],
  ])('adds to Vary %j what is new in %s', (before, value, after) => {
    const response = nodeResponse();
    if (before !== undefined) response.setHeader('vary', before);
    addVary(response, value);
    expect(response.getHeader('vary')).toBe(after);
  });
});
