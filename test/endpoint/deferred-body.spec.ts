import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { consumedBody } from '../../src/endpoint/consumed-body.js';
import { continueBody, deferBody, deferContinue, restoreBody } from '../../src/endpoint/deferred-body.js';

function request(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

describe('a deferred body', () => {
  it('is invisible until it is restored, however often it was deferred', () => {
    const headers = { 'content-type': 'application/json', 'content-length': '2', host: 'h' };
    const deferred = request({ ...headers });
    deferBody(deferred);
    deferBody(deferred);
    expect(deferred.headers['content-type']).toBeUndefined();
    expect(deferred.headers['content-length']).toBeUndefined();
    expect(deferred.headers.host).toBe('h');
    restoreBody(deferred);
    expect(deferred.headers).toEqual(headers);
  });

  it('hides chunked bodies too', () => {
    const deferred = request({ 'transfer-encoding': 'chunked' });
    deferBody(deferred);
    expect(deferred.headers['transfer-encoding']).toBeUndefined();
  });

  it('leaves alone what was never deferred', () => {
    const plain = request({ 'content-type': 'text/plain' });
    restoreBody(plain);
    expect(plain.headers).toEqual({ 'content-type': 'text/plain' });
  });

  it('asks the client to go on once, and only a client that waits', () => {
    const waiting = request({});
    let asked = 0;
    const response = Object.assign(new ServerResponse(waiting), { writeContinue: () => (asked += 1) });
    continueBody(waiting);
    deferContinue(waiting, response);
    continueBody(waiting);
    continueBody(waiting);
    expect(asked).toBe(1);
  });
});

describe('a body that somebody else read', () => {
  const read = request({});
  read.push('x');
  read.read();

  it.each([
    ['rawBody', { rawBody: Buffer.from('a'), body: { a: 1 } }, { bytes: Buffer.from('a') }],
    ['a body of bytes', { body: Buffer.from('a') }, { bytes: Buffer.from('a') }],
    ['a body of text', { body: 'ä' }, { bytes: Buffer.from('ä') }],
    ['a parsed body', { body: { a: 1 } }, { parsed: { a: 1 } }],
    ['nothing', {}, undefined],
  ])('is taken from %s', (_what, parts, consumed) => {
    expect(consumedBody(parts, read)).toEqual(consumed);
  });

  it('is looked for where middleware of Fastify left it', () => {
    expect(consumedBody({ body: undefined }, Object.assign(read, { body: { a: 1 } }))).toEqual({ parsed: { a: 1 } });
  });

  it('is not looked for when nobody read it', () => {
    expect(consumedBody({ body: { a: 1 } }, request({}))).toBeUndefined();
  });
});
