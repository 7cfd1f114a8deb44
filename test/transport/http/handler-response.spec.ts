import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { HandlerResponse } from '../../../src/transport/http/handler-response.js';

let raw: ServerResponse;
let logged: string[];
let response: HandlerResponse;

beforeEach(() => {
  raw = new ServerResponse(new IncomingMessage(new Socket()));
  logged = [];
  const log = (message: string): void => void logged.push(message);
  response = new HandlerResponse(raw, { error: log, warn: log, info: log, debug: log });
});

describe('headers', () => {
  it('are set in the words of node, Express and Fastify', () => {
    response
      .setHeader('x-node', 1)
      .set('x-express', 'a')
      .set({ 'x-many': 'b', 'x-more': ['c', 'd'] })
      .header('x-fastify', 'e')
      .headers({ 'x-fields': 'f' })
      .append('x-many', 'g')
      .appendHeader('x-new', ['h']);
    expect(raw.getHeaders()).toEqual({
      'x-node': 1,
      'x-express': 'a',
      'x-many': ['b', 'g'],
      'x-more': ['c', 'd'],
      'x-fastify': 'e',
      'x-fields': 'f',
      'x-new': ['h'],
    });
    expect(response.removeHeader('x-node').hasHeader('x-node')).toBe(false);
    expect(response.get('X-Express')).toBe('a');
    expect(response.getHeader('x-more')).toEqual(['c', 'd']);
    expect(response.getHeaders()).toEqual(raw.getHeaders());
  });

  it('that frame the body are not for handlers', () => {
    response.set({ 'Content-Length': 5, 'content-type': 'text/html', 'Transfer-Encoding': 'chunked' });
    response.append('Content-Encoding', 'gzip');
    expect(raw.getHeaders()).toEqual({});
  });

  it('come too late once the head was sent', () => {
    raw.writeHead(200);
    expect(() => response.set('x-late', '1').append('x-late', '2').removeHeader('x-late')).not.toThrow();
    expect(response.headersSent).toBe(true);
    expect(raw.hasHeader('x-late')).toBe(false);
  });
});

it('remembers a status that is not sent', () => {
  expect(response.status(418).statusCode).toBe(418);
  expect(response.code(201).statusCode).toBe(201);
  expect(raw.statusCode).toBe(200);
});

it.each(['write', 'end', 'send', 'json', 'redirect'] as const)('%s throws and is logged; nothing is sent', (method) => {
  expect(() => response.raw[method]()).toThrow(`response.${method}()`);
  expect(logged).toEqual([expect.stringContaining(`response.${method}()`)]);
  expect(raw.headersSent).toBe(false);
});

it('tells of the end of the real response', () => {
  const heard: string[] = [];
  const listener = (): void => void heard.push('close');
  response.on('close', listener).once('finish', () => heard.push('finish'));
  raw.emit('finish');
  raw.emit('finish');
  raw.emit('close');
  response.off('close', listener);
  raw.emit('close');
  expect(heard).toEqual(['finish', 'close']);
});
