import { describe, expect, it } from 'vitest';
import { corsHeaders, isPreflight, preflightHeaders } from '../../../src/transport/http/cors.js';
import { requestOf } from './request-of.js';

const ORIGIN = 'https://app.example.com';

describe('a preflight', () => {
  const ask = [
    ['Origin', ORIGIN],
    ['Access-Control-Request-Method', 'POST'],
  ] as const;

  it('is OPTIONS of a browser that names a method', () => {
    expect(isPreflight(requestOf(ask, { method: 'OPTIONS' }))).toBe(true);
    expect(isPreflight(requestOf(ask))).toBe(false);
    expect(isPreflight(requestOf(ask.slice(0, 1), { method: 'OPTIONS' }))).toBe(false);
    expect(isPreflight(requestOf(ask.slice(1), { method: 'OPTIONS' }))).toBe(false);
  });

  it('learns the methods, every header of the protocol and those of the catalog', () => {
    const headers = preflightHeaders(ORIGIN, 'POST, GET, DELETE', ['Mcp-Param-Region']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-max-age': '600',
    });
    expect(headers['access-control-allow-headers']?.toLowerCase().split(', ').sort()).toEqual([
      'accept',
      'authorization',
      'content-type',
      'last-event-id',
      'mcp-method',
      'mcp-name',
      'mcp-param-region',
      'mcp-protocol-version',
      'mcp-session-id',
    ]);
    expect(headers['vary']).toContain('Origin');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

it('an answer can be read by the page, without credentials', () => {
  expect(corsHeaders(ORIGIN)).toEqual({
    'access-control-allow-origin': ORIGIN,
    'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version',
    vary: 'Origin',
  });
});
