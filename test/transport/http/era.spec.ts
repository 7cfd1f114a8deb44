import { describe, expect, it } from 'vitest';
import { META } from '../../../src/protocol/envelope.js';
import { ProtocolError } from '../../../src/protocol/errors.js';
import { findRevision, REVISIONS, type Revision } from '../../../src/protocol/revisions.js';
import {
  notificationRevision,
  requestRevision,
  responseRevision,
  type EraFacts,
} from '../../../src/transport/http/era.js';

const july = '2026-07-28';
const meta = (version: unknown, more: object = { [META.clientCapabilities]: {} }) => ({
  _meta: { [META.protocolVersion]: version, ...more },
});
const revisionOf = (name: string): Revision => {
  const revision = findRevision(name);
  if (revision === undefined) throw new Error(`no revision ${name}`);
  return revision;
};
const legacyOnly = REVISIONS.filter(({ era }) => era === 'legacy');
const modernOnly = REVISIONS.filter(({ era }) => era === 'modern');

type Given = Partial<Omit<EraFacts, 'session'>> & { method?: string; params?: object; session?: string };

function facts({ served = REVISIONS, headers = [], session }: Given): EraFacts {
  return session === undefined ? { served, headers } : { served, headers, session: revisionOf(session) };
}

function outcome(run: () => Revision): unknown {
  try {
    return run().name;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    expect(error.status).toBe(400);
    return error.code;
  }
}

const ofRequest = (given: Given): unknown => {
  const params = (given.params ?? {}) as Record<string, unknown>;
  return outcome(() =>
    requestRevision({ kind: 'request', id: 1, method: given.method ?? 'tools/list', params }, facts(given)),
  );
};

describe('a request', () => {
  it.each<[string, Given, unknown]>([
    ['modern', { params: meta(july), headers: [july] }, july],
    ['modern without header', { params: meta(july) }, -32020],
    ['modern with another header', { params: meta(july), headers: ['2025-11-25'] }, -32020],
    ['modern with an unknown header', { params: meta(july), headers: ['1900-01-01'] }, -32020],
    ['modern with one wrong header of two', { params: meta(july), headers: [july, '2025-11-25'] }, -32020],
    ['modern without capabilities', { params: meta(july, {}), headers: [july] }, -32602],
    ['modern without capabilities and header', { params: meta(july, {}) }, -32602],
    ['capabilities of a wrong type', { params: meta(july, { [META.clientCapabilities]: 7 }), headers: [july] }, -32602],
    ['a version that is no text', { params: meta(5), headers: [july] }, -32602],
    ['_meta that is no object', { params: { _meta: 'x' }, headers: [july] }, -32602],
    ['_meta that is an array', { params: { _meta: [1] } }, -32602],
    ['the header alone is modern', { headers: [july] }, -32602],
    [
      'the header alone is modern, with other _meta',
      { params: { _meta: { progressToken: 1 } }, headers: [july] },
      -32602,
    ],
    ['an unknown version', { params: meta('v999'), headers: ['v999'] }, -32022],
    ['an unknown version, header differs', { params: meta('v999'), headers: [july] }, -32020],
    ['an unknown version without header', { params: meta('v999') }, -32020],
    ['an unknown header alone', { headers: ['1900-01-01'] }, -32022],
    ['a good and an unknown header', { headers: ['2025-11-25', '1900-01-01'] }, -32022],
    ['two handshake headers', { headers: ['2025-11-25', '2025-06-18'] }, -32020],
    ['_meta of a handshake revision', { params: meta('2025-06-18', {}), headers: ['2025-06-18'] }, '2025-06-18'],
    ['_meta of a handshake revision without header', { params: meta('2025-06-18', {}) }, '2025-06-18'],
    ['_meta of a handshake revision, header differs', { params: meta('2025-06-18', {}), headers: [july] }, -32020],
    ['a handshake header', { headers: ['2025-11-25'] }, '2025-11-25'],
    ['nothing at all', {}, '2025-03-26'],
    ['a session without header', { session: '2025-11-25' }, '2025-11-25'],
    ['a session with its header', { session: '2025-11-25', headers: ['2025-11-25'] }, '2025-11-25'],
    [
      'a session with the header of another handshake',
      { session: '2025-11-25', headers: ['2025-06-18'] },
      '2025-11-25',
    ],
    ['a session with an unknown header', { session: '2025-11-25', headers: ['1900-01-01'] }, -32022],
    ['a session older than the header', { session: '2025-03-26', headers: ['1900-01-01'] }, '2025-03-26'],
    ['initialize', { method: 'initialize' }, '2025-11-25'],
    ['initialize with a modern header', { method: 'initialize', headers: [july] }, '2025-11-25'],
    ['initialize with an unknown header', { method: 'initialize', headers: ['1900-01-01'] }, '2025-11-25'],
    ['initialize with modern _meta', { method: 'initialize', params: meta(july), headers: [july] }, july],
    ['modern, not served', { served: legacyOnly, params: meta(july), headers: [july] }, -32022],
    ['handshake, not served', { served: modernOnly, headers: ['2025-11-25'] }, -32022],
    [
      'handshake in _meta, not served',
      { served: modernOnly, params: meta('2025-11-25'), headers: ['2025-11-25'] },
      -32022,
    ],
    ['bare, only modern served', { served: modernOnly }, -32020],
    ['initialize, only modern served', { served: modernOnly, method: 'initialize' }, -32020],
  ])('%s', (_what, given, expected) => {
    expect(ofRequest(given)).toBe(expected);
  });

  it('with two headers is never told that a served version is the unsupported one', () => {
    for (const headers of [
      [july, '1900-01-01'],
      ['1900-01-01', july],
    ]) {
      expect(() => requestRevision({ kind: 'request', id: 1, method: 'x', params: {} }, facts({ headers }))).toThrow(
        expect.objectContaining({
          code: -32022,
          data: { requested: '1900-01-01', supported: REVISIONS.map(({ name }) => name) },
        }),
      );
    }
  });

  it('of a handshake learns from a modern-only server what it speaks', () => {
    const initialize = { kind: 'request', id: 1, method: 'initialize', params: {} } as const;
    expect(() => requestRevision(initialize, facts({ served: modernOnly }))).toThrow(
      expect.objectContaining({ data: { supported: [july] } }),
    );
  });
});

describe('a notification', () => {
  const ofNotification = (given: Given): unknown =>
    outcome(() =>
      notificationRevision(
        { kind: 'notification', method: 'notifications/x', params: (given.params ?? {}) as Record<string, unknown> },
        facts(given),
      ),
    );

  it.each<[string, Given, unknown]>([
    ['bare', {}, '2025-11-25'],
    ['bare, only modern served', { served: modernOnly }, july],
    ['with a modern header', { headers: [july] }, july],
    ['with modern _meta and no header', { params: meta(july, {}) }, july],
    ['with modern _meta and another header', { params: meta(july, {}), headers: ['2025-11-25'] }, -32020],
    ['with an unknown header', { headers: ['1900-01-01'] }, -32022],
    ['of a session', { session: '2025-06-18' }, '2025-06-18'],
    ['with _meta that is no object', { params: { _meta: 7 } }, -32602],
  ])('%s', (_what, given, expected) => {
    expect(ofNotification(given)).toBe(expected);
  });
});

describe('a response', () => {
  const ofResponse = (given: Given): unknown =>
    outcome(() => responseRevision({ kind: 'response', id: 1, result: {} }, facts(given)));

  it.each<[string, Given, unknown]>([
    ['bare', {}, '2025-03-26'],
    ['with a modern header', { headers: [july] }, july],
    ['of a session', { session: '2025-06-18' }, '2025-06-18'],
    ['bare, only modern served', { served: modernOnly }, -32020],
  ])('%s', (_what, given, expected) => {
    expect(ofResponse(given)).toBe(expected);
  });
});
