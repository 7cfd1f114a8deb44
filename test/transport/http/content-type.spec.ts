import { describe, expect, it } from 'vitest';
import { isEncoded, isJson } from '../../../src/transport/http/content-type.js';

describe('Content-Type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; profile=x; version=1',
    'application/json;',
  ])('%j is JSON', (header) => {
    expect(isJson(header)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-rpc',
    'application/ld+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json, application/json',
  ])('%j is not', (header) => {
    expect(isJson(header)).toBe(false);
  });
});

describe('Content-Encoding', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['identity', false],
    ['Identity ', false],
    ['gzip', true],
    ['identity, gzip', true],
    ['br', true],
  ])('%j is refused: %s', (header, encoded) => {
    expect(isEncoded(header)).toBe(encoded);
  });
});
