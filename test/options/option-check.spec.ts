import { Injectable, type CanActivate } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { checkExtras, checkOptions } from '../../src/options/option-check.js';

@Injectable()
class Guard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}
class NoGuard {}
class Observer {
  onCall(): void {}
}

const GOOD = { server: { name: 's', version: '1' }, allowedOrigins: [], guards: 'none' };

function faults(options: unknown): readonly string[] {
  return checkOptions(options, 'here').map(({ source, message }) => {
    expect(source).toBe('here');
    return message;
  });
}

describe('options of a server', () => {
  it.each<[string, object]>([
    ['the least there is', {}],
    ['any origin', { allowedOrigins: 'any' }],
    ['origins', { allowedOrigins: ['https://app.example.com', 'http://localhost:3000'] }],
    ['hosts', { allowedHosts: ['api.example.com', '[::1]:3000'] }],
    ['a guard class and a guard', { guards: [Guard, new Guard()] }],
    [
      'everything about the server',
      {
        server: {
          name: 's',
          version: '1',
          title: 't',
          description: 'd',
          websiteUrl: 'https://example.com',
          instructions: 'i',
          icons: [{ src: 'data:,', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }],
        },
      },
    ],
    ['undefined for what is left out', { sessions: undefined, limits: { bodyBytes: undefined } }],
    ['stateless', { sessions: 'stateless' }],
    ['bounds of sessions', { sessions: { idleMs: 1, max: 1 } }],
    ['secrets', { stateKeys: ['x'.repeat(32), new Uint8Array(32)] }],
    ['public caching without a view of the caller', { cache: { tools: { scope: 'public', ttlMs: 5 } } }],
    ['a server for each caller', { server: () => ({ name: 's', version: '1' }) }],
    ['tools to be exposed', { expose: { tools: ['a'] } }],
    ['one dispatch for all', { dispatch: () => 1, dispatchContext: null }],
    ['a wrapper around the core', { core: (inner: unknown) => inner }],
    ['a session id of its own', { sessions: 'stateless', statelessSessionId: () => 'x' }],
    ['observers', { observers: [{ onCall: () => undefined }, Observer] }],
    ['bounds of calls', { limits: { callTimeoutMs: 1, maxOutputBytes: 1, inFlight: 1, inFlightPerCaller: 1 } }],
    ['hooks', { identity: () => 1, identityKey: () => '1', visibility: () => true, rawBody: () => true }],
  ])('may be %s', (_what, options) => {
    expect(faults({ ...GOOD, ...options })).toEqual([]);
  });

  it.each<[unknown]>([[undefined], [null], ['x'], [[]]])('must be an object, not %j', (options) => {
    expect(faults(options)).toEqual(['options must be an object']);
  });

  it('must answer who may call and from where', () => {
    expect(faults({})).toEqual([
      'option "server" is required',
      'option "allowedOrigins" is required',
      'option "guards" is required',
    ]);
  });

  it.each<[object, string]>([
    [{ server: { name: 's' } }, 'option "server.version" is required'],
    [{ server: { name: '', version: '1' } }, 'option "server.name" must be a text that is not empty'],
    [
      { server: { name: 's', version: '1', titel: 't' } },
      'option "server.titel" is not an option; did you mean "title"?',
    ],
    [{ gaurds: 'none' }, 'option "gaurds" is not an option; did you mean "guards"?'],
    [{ guards: [] }, `option "guards" must name a guard; write 'none' to let everybody in`],
    [{ guards: 'nobody' }, `option "guards" must be 'none' or an array`],
    [{ guards: Guard }, 'option "guards" must be an array'],
    [{ guards: [NoGuard] }, 'option "guards[0]" must be a class or an object with canActivate(): NoGuard has none'],
    [{ guards: [{}] }, 'option "guards[0]" must be a class or an object with canActivate()'],
    [{ allowedOrigins: 'all' }, `option "allowedOrigins" must be 'any' or an array`],
    [{ allowedOrigins: ['null'] }, 'option "allowedOrigins[0]" "null" is no origin such as https://app.example.com'],
    [
      { allowedOrigins: ['https://a.example/x'] },
      'option "allowedOrigins[0]" "https://a.example/x" is no origin such as https://app.example.com',
    ],
    [{ allowedOrigins: ['any'] }, 'option "allowedOrigins[0]" "any" is no origin such as https://app.example.com'],
    [{ allowedHosts: [] }, 'option "allowedHosts" must not be empty'],
    [
      { allowedHosts: ['http://a'] },
      'option "allowedHosts[0]" "http://a" is no host such as api.example.com or [::1]:3000',
    ],
    [{ globalGuards: 'handler' }, `option "globalGuards" must be 'both' or 'endpoint'`],
    [{ revisions: [] }, 'option "revisions" must not be empty'],
    [
      { revisions: ['2024-11-05'] },
      `option "revisions[0]" must be '2026-07-28' or '2025-11-25' or '2025-06-18' or '2025-03-26'`,
    ],
    [
      { limits: { bodyTimeoutMs: 86_400_001 } },
      'option "limits.bodyTimeoutMs" must be a whole number from 1 to 86400000',
    ],
    [{ limits: { requireContentLength: 1 } }, 'option "limits.requireContentLength" must be true or false'],
    [{ limits: { bodyByte: 1 } }, 'option "limits.bodyByte" is not an option; did you mean "bodyBytes"?'],
    [{ pageSize: { tools: 0 } }, 'option "pageSize.tools" must be a whole number from 1 to 100000'],
    [{ pageSize: 50 }, 'option "pageSize" must be an object'],
    [
      { cache: { tools: { ttlMs: -1 } } },
      'option "cache.tools.ttlMs" must be a whole number from 0 to 9007199254740991',
    ],
    [{ sessions: 'none' }, `option "sessions" must be an object or 'stateless'`],
    [
      { sessions: { store: {} } },
      'option "sessions.store" must be an object with create(), load(), touch(), change(), destroy()',
    ],
    [{ stateKeys: [] }, 'option "stateKeys" must not be empty'],
    [{ stateKeys: ['short'] }, 'option "stateKeys[0]" must be text or bytes, at least 32 bytes'],
    [{ tasks: { store: {} } }, 'option "tasks.store" must be an object with create(), get(), list(), update()'],
    [{ keepAliveMs: 0 }, 'option "keepAliveMs" must be a whole number from 1 to 2147483647'],
    [{ drainMs: -1 }, 'option "drainMs" must be a whole number from 0 to 2147483647'],
    [{ observers: [] }, 'option "observers" must not be empty'],
    [{ observers: [NoGuard] }, 'option "observers[0]" must be a class or an object with onCall()'],
    [{ observers: [{}] }, 'option "observers[0]" must be an object with onCall()'],
    [{ limits: { callTimeoutMs: 0 } }, 'option "limits.callTimeoutMs" must be a whole number from 1 to 2147483647'],
    [{ limits: { maxOutputBytes: 0.5 } }, 'option "limits.maxOutputBytes" must be a whole number from 1 to 1073741824'],
    [{ limits: { inFlight: 0 } }, 'option "limits.inFlight" must be a whole number from 1 to 10000000'],
    [
      { limits: { inFlightPerCaller: '2' } },
      'option "limits.inFlightPerCaller" must be a whole number from 1 to 10000000',
    ],
    [{ identity: 'sub' }, 'option "identity" must be a function'],
    [{ server: 's' }, 'option "server" must be an object'],
    [{ expose: ['a'] }, 'option "expose" must be an object'],
    [{ expose: {} }, 'option "expose.tools" is required'],
    [{ expose: { tools: [1] } }, 'option "expose.tools[0]" must be a text that is not empty'],
    [{ dispatch: {} }, 'option "dispatch" must be a function'],
    [{ dispatchContext: 1 }, 'option "dispatchContext" is for the option "dispatch", which is not there'],
    [{ core: {} }, 'option "core" must be a function'],
    [{ sessions: 'stateless', statelessSessionId: 'x' }, 'option "statelessSessionId" must be a function'],
    [{ statelessSessionId: () => 'x' }, `option "statelessSessionId" is for sessions: 'stateless' alone`],
    [
      { server: () => ({ name: 's', version: '1' }), cache: { tools: { scope: 'public' } } },
      `option "cache.tools.scope" cannot be 'public' together with a server for each caller`,
    ],
    [{ visibility: NoGuard }, 'option "visibility" must have isVisible(): class NoGuard has none'],
    [{ rawBody: {} }, 'option "rawBody" must be a function, or a class with verify()'],
  ])('are refused: %j', (options, message) => {
    expect(faults({ ...GOOD, ...options })).toEqual([message]);
  });

  it('never repeat a secret', () => {
    expect(faults({ ...GOOD, stateKeys: ['hunter2'] }).join()).not.toContain('hunter2');
  });

  it('configure the store given or the default one, not both', () => {
    const store = Object.fromEntries(
      ['create', 'load', 'touch', 'change', 'destroy'].map((name) => [name, () => true]),
    );
    expect(faults({ ...GOOD, sessions: { store } })).toEqual([]);
    expect(faults({ ...GOOD, sessions: { store, max: 5 } })).toEqual([
      'option "sessions" takes idleMs and max for the in-memory store alone: configure them in the given store',
    ]);
  });

  it('do not share with everybody what depends on the caller', () => {
    const cache = { tools: { scope: 'public' }, read: { scope: 'private' } };
    expect(faults({ ...GOOD, cache, guards: [Guard] })).toEqual([
      `option "cache.tools.scope" cannot be 'public' together with guards`,
    ]);
    expect(faults({ ...GOOD, cache, guards: [Guard], visibility: () => true })).toEqual([
      `option "cache.tools.scope" cannot be 'public' together with guards and visibility`,
    ]);
  });
});

describe('what is given beside the options', () => {
  it.each(['mcp', '/mcp', 'a/b', '/a.b/c-d/'])('may be the path %s', (path) => {
    expect(checkExtras({ path }, 'here')).toEqual([]);
  });

  it.each(['', '/', ':id', 'a/*', 'a//b', 'ü', 5])('may not be the path %s', (path) => {
    const message = 'option "path" must be one or more literal segments, e.g. mcp or api/mcp';
    expect(checkExtras({ path }, 'here')).toEqual([{ source: 'here', message }]);
  });

  it('may name a server, and modules', () => {
    expect(checkExtras({ name: 'a', include: [NoGuard], imports: [] }, 'here')).toEqual([]);
    expect(checkExtras({ name: '', include: ['x'] }, 'here').map(({ message }) => message)).toEqual([
      'option "name" must be a text that is not empty',
      'option "include[0]" must be a module class',
    ]);
  });
});
