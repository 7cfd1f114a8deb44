import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEncoded, isJson } from '../../../src/transport/http/content-type.js';
import { hostAllowed, hostRule } from '../../../src/transport/http/host.js';
import { acceptedTypes } from '../../../src/transport/http/media-range.js';
import { originAllowed, originRule } from '../../../src/transport/http/origin.js';
import { versionsOf } from '../../../src/transport/http/version-header.js';
import { requestOf } from './request-of.js';

/** Pieces that such values are made of, in any order, among any characters that Node lets through. */
const pieces = (...words: string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...words) },
        { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) },
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''));

const hosts = pieces('localhost', '127.0.0.1', '[::1]', 'api.example.com', '.', ':', '3000', '@', '/', '#', '\\', 'a');
const origins = pieces(
  'https://app.example.com',
  'HTTP://LocalHost',
  'https',
  'http',
  '://',
  'app.example.com',
  'localhost',
  ':',
  '443',
  '@',
  '/',
  '?',
  '#',
  '.',
  'a',
);
const ranges = pieces('*/*', 'application/json', 'text/event-stream', 'text/*', ',', ';', 'q=0', 'q=0.5', ' ', '"');

describe('any host', () => {
  it('that passes without a list is a loopback name to a URL parser too', () => {
    const rule = hostRule(undefined);
    let passed = 0;
    fc.assert(
      fc.property(hosts, (host) => {
        if (!hostAllowed(requestOf([['Host', host]], { localAddress: '127.0.0.1' }), rule)) return;
        passed += 1;
        // Ports and parts of addresses past their range are nothing that a client could have connected to.
        if (!URL.canParse(`http://${host}/`)) return;
        const { hostname, username, pathname } = new URL(`http://${host}/`);
        expect([hostname, username, pathname]).toEqual([
          expect.stringMatching(/^(?:localhost|\[::1\]|127(?:\.\d+){3})$/),
          '',
          '/',
        ]);
      }),
      { numRuns: 3_000 },
    );
    expect(passed).toBeGreaterThan(20);
  });

  it('that passes a list names one of it', () => {
    const rule = hostRule(['api.example.com', 'localhost:3000']);
    fc.assert(
      fc.property(hosts, (host) => {
        if (!hostAllowed(requestOf([['Host', host]]), rule)) return;
        expect(host.toLowerCase()).toMatch(/^(?:api\.example\.com(?::\d{1,5})?|localhost:3000)$/);
      }),
      { numRuns: 3_000 },
    );
  });
});

it('any origin that passes a list is that of one entry to a URL parser too', () => {
  const rule = originRule(['https://app.example.com', 'http://localhost:443']);
  let passed = 0;
  fc.assert(
    fc.property(origins, (origin) => {
      if (!originAllowed(requestOf([['Origin', origin]]), rule)) return;
      passed += 1;
      expect(['https://app.example.com', 'http://localhost:443']).toContain(new URL(origin).origin);
    }),
    { numRuns: 10_000 },
  );
  expect(passed).toBeGreaterThan(5);
});

describe('any Accept', () => {
  it('means the same in any case and with any space around its ranges', () => {
    fc.assert(
      fc.property(ranges, (header) => {
        const accepted = acceptedTypes(header);
        expect(acceptedTypes(header.toUpperCase())).toEqual(accepted);
        expect(acceptedTypes(header.split(',').join(' , '))).toEqual(accepted);
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes what it takes with a type more that nobody offers', () => {
    fc.assert(
      fc.property(ranges, (header) => {
        fc.pre(header.trim() !== '');
        expect(acceptedTypes(`image/png, ${header}`)).toEqual(acceptedTypes(header));
      }),
      { numRuns: 1_000 },
    );
  });
});

it('any Content-Type that is JSON says so first', () => {
  const types = pieces('application/json', 'text/plain', ';', 'charset', '=', 'utf-8', 'latin1', ' ', '"', '/');
  fc.assert(
    fc.property(types, (header) => {
      if (isJson(header)) expect(header.trim()).toMatch(/^application\/json\s*(?:;|$)/i);
      expect(isJson(header.toUpperCase())).toBe(isJson(header));
      expect(isEncoded(header)).toBe(header.trim() !== '' && header.trim().toLowerCase() !== 'identity');
    }),
    { numRuns: 1_000 },
  );
});

it('any lines of MCP-Protocol-Version are each heard', () => {
  fc.assert(
    fc.property(fc.array(pieces('2025-11-25', '2026-07-28', ' ', ','), { minLength: 1, maxLength: 3 }), (lines) => {
      const versions = versionsOf(requestOf(lines.map((line) => ['MCP-Protocol-Version', line] as const)));
      const said = new Set(lines.map((line) => line.trim()));
      // Of a single line nothing is taken apart.
      expect(new Set(versions)).toEqual(said);
    }),
    { numRuns: 1_000 },
  );
});
