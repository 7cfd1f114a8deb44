import { describe, expect, it } from 'vitest';
import { hostAllowed, hostRule } from '../../../src/transport/http/host.js';
import { requestOf } from './request-of.js';

const at = (localAddress: string, ...hosts: string[]) =>
  requestOf(
    hosts.map((host) => ['Host', host] as const),
    { localAddress },
  );

describe('without a list, at a loopback address', () => {
  const rule = hostRule(undefined);

  it.each(['localhost', 'LocalHost:3000', '127.0.0.1', '127.0.0.1:65535', '127.1.2.3', '[::1]', '[::1]:3000'])(
    '%s is served',
    (host) => {
      for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
        expect(hostAllowed(at(address, host), rule)).toBe(true);
      }
    },
  );

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    'localhost.evil.example:3000',
    '127.0.0.1.evil.example',
    '127.0.0',
    '128.0.0.1',
    '[::2]',
    '::1',
    'localhost:abc',
    'localhost:3000:4000',
    'localhost/',
    'user@localhost',
    '',
    ' ',
  ])('%j is refused', (host) => {
    expect(hostAllowed(at('127.0.0.1', host), rule)).toBe(false);
  });

  it('a missing Host is refused, and so is a second one that is foreign', () => {
    expect(hostAllowed(at('127.0.0.1'), rule)).toBe(false);
    expect(hostAllowed(at('127.0.0.1', 'localhost', 'evil.example'), rule)).toBe(false);
    expect(hostAllowed(at('127.0.0.1', 'localhost', 'localhost'), rule)).toBe(true);
  });

  it('the authority of HTTP/2 counts as Host', () => {
    expect(hostAllowed(requestOf([[':authority', 'localhost:3000']], { localAddress: '::1' }), rule)).toBe(true);
    expect(hostAllowed(requestOf([[':authority', 'evil.example']], { localAddress: '::1' }), rule)).toBe(false);
  });
});

describe('without a list, at another address', () => {
  it.each(['10.0.0.5', '::', 'fe80::1'])('any Host is served at %s', (address) => {
    expect(hostAllowed(at(address, 'whatever.example'), hostRule(undefined))).toBe(true);
    expect(hostAllowed(at(address), hostRule(undefined))).toBe(true);
  });
});

describe('a list of hosts', () => {
  const rule = hostRule(['Api.Example.com', 'admin.example.com:8443', '[::1]:3000']);

  it.each(['api.example.com', 'API.example.com:9999', 'admin.example.com:8443', '[::1]:3000'])(
    'lets %s in wherever it was received',
    (host) => {
      expect(hostAllowed(at('10.0.0.5', host), rule)).toBe(true);
      expect(hostAllowed(at('127.0.0.1', host), rule)).toBe(true);
    },
  );

  it.each(['localhost', 'admin.example.com', 'admin.example.com:443', '[::1]', 'x.api.example.com', ''])(
    'does not let %j in',
    (host) => {
      expect(hostAllowed(at('10.0.0.5', host), rule)).toBe(false);
    },
  );

  it.each(['', 'http://api.example.com', 'api.example.com/', '*.example.com', '::1', 'a b', 'a:port'])(
    'with the entry %j is refused, naming it',
    (entry) => {
      expect(() => hostRule(['ok.example', entry])).toThrow(JSON.stringify(entry));
    },
  );
});
