import { describe, expect, it } from 'vitest';
import { originAllowed, originRule } from '../../../src/transport/http/origin.js';
import { requestOf } from './request-of.js';

const from = (...origins: string[]) => requestOf(origins.map((origin) => ['Origin', origin] as const));

describe('a list of origins', () => {
  const rule = originRule(['https://App.Example.com', 'http://localhost:3000', 'http://[::1]:8080', 'app://main']);

  it.each([
    'https://app.example.com',
    'https://app.example.com:443',
    'HTTPS://APP.EXAMPLE.COM',
    'http://localhost:3000',
    'http://[::1]:8080',
    'http://[0:0:0:0:0:0:0:1]:8080',
    'app://main',
  ])('lets %s in', (origin) => {
    expect(originAllowed(from(origin), rule)).toBe(true);
  });

  it.each([
    'http://app.example.com',
    'https://app.example.com:444',
    'https://app.example.com.evil.example',
    'https://evil.example#app.example.com',
    'https://app.example.com@evil.example',
    'https://evil.example/https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://sub.app.example.com',
    'http://localhost',
    'http://localhost:80.evil.example',
    'http://127.0.0.1:3000',
    'null',
    '',
    '*',
    'app.example.com',
    'https://',
    'https://app.example.com https://app.example.com',
    'https://app.example.com, https://app.example.com',
  ])('does not let %j in', (origin) => {
    expect(originAllowed(from(origin), rule)).toBe(false);
  });

  it('wants every line to be allowed, in either order', () => {
    expect(originAllowed(from('https://app.example.com', 'https://evil.example'), rule)).toBe(false);
    expect(originAllowed(from('https://evil.example', 'https://app.example.com'), rule)).toBe(false);
    expect(originAllowed(from('https://app.example.com', 'https://app.example.com'), rule)).toBe(true);
  });

  it('does not concern callers that are no browsers', () => {
    expect(originAllowed(requestOf([]), rule)).toBe(true);
    expect(originAllowed(requestOf([]), originRule([]))).toBe(true);
  });

  it('may be empty: no browser gets in', () => {
    expect(originAllowed(from('https://app.example.com'), originRule([]))).toBe(false);
  });

  it.each(['null', '*', '', 'app.example.com', 'https://app.example.com/', 'https://*.example.com/x', 'https://a@b'])(
    'with the entry %j is refused, naming it',
    (entry) => {
      expect(() => originRule(['https://good.example', entry])).toThrow(JSON.stringify(entry));
    },
  );
});

describe('any origin', () => {
  it('lets everybody in', () => {
    for (const origin of ['https://evil.example', 'null', 'garbage']) {
      expect(originAllowed(from(origin), originRule('any'))).toBe(true);
    }
  });
});
