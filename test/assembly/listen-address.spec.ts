import { describe, expect, it } from 'vitest';
import { readAddress, shownHost } from '../../src/listen-address.js';

describe('an address to listen at', () => {
  it.each([
    ['127.0.0.1:3000', '127.0.0.1', 3000],
    ['localhost:0', 'localhost', 0],
    ['0.0.0.0:80', '0.0.0.0', 80],
    [':3000', '127.0.0.1', 3000],
    ['3000', '127.0.0.1', 3000],
    ['[::1]:65535', '::1', 65_535],
    ['[::]:1', '::', 1],
  ])('%s is host and port', (address, host, port) => {
    expect(readAddress(address)).toEqual({ host, port });
  });

  it.each(['', 'localhost', 'a:b', '127.0.0.1:65536', '::1:80', '[x]:80', 'http://a:80', 'a b:80', '127.0.0.1:-1'])(
    '%j is none',
    (address) => {
      expect(() => readAddress(address)).toThrow(TypeError);
    },
  );

  it.each([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['0:0:0:0:0:0:0:0', '[::1]'],
    ['::1', '[::1]'],
    ['localhost', 'localhost'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%s is shown as %s', (host, shown) => {
    expect(shownHost(host)).toBe(shown);
  });
});
