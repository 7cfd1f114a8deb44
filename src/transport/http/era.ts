import type { NotificationMessage, RequestMessage, ResponseMessage } from '../../protocol/call.js';
import { declaredVersion, requireEnvelope, servedRevision, unsupportedVersion } from '../../protocol/envelope.js';
import { ErrorCode, ProtocolError } from '../../protocol/errors.js';
import { findRevision, type Revision } from '../../protocol/revisions.js';

export interface EraFacts {
  /** Served revisions, newest first. */
  readonly served: readonly Revision[];
  /** Values of `MCP-Protocol-Version`. */
  readonly headers: readonly string[];
  /** Negotiated revision of the live session that the request belongs to. */
  readonly session?: Revision;
}

const HEADER = 'MCP-Protocol-Version';

function mismatch(): ProtocolError {
  return new ProtocolError(ErrorCode.HeaderMismatch, `The ${HEADER} header does not match the body`, 400);
}

/** Without handshake revisions nothing says which version a bare request means (VER-13, VER-14, HDR-02). */
function missing(served: readonly Revision[]): ProtocolError {
  return new ProtocolError(ErrorCode.HeaderMismatch, `The ${HEADER} header is required`, 400, {
    supported: served.map(({ name }) => name),
  });
}

function newestLegacy(served: readonly Revision[]): Revision | undefined {
  return served.find(({ era }) => era === 'legacy');
}

/** A message whose body names its version: modern unless it names a handshake revision served here (VER-09). */
function declared(version: string, { served, headers }: EraFacts, required: boolean): Revision {
  const revision = servedRevision(served, version);
  if (headers.length === 0 && required && revision?.era !== 'legacy') {
    throw new ProtocolError(ErrorCode.HeaderMismatch, `The ${HEADER} header is required`, 400);
  }
  // A mismatch outranks a version that nobody knows (section 36, #4).
  if (headers.some((value) => value !== version)) throw mismatch();
  if (revision === undefined) throw unsupportedVersion(served, version);
  return revision;
}

/** A message that leaves its version to the header, the session, or the oldest revision (HDR-02, HDR-22). */
function undeclared({ served, headers, session }: EraFacts): Revision {
  // There is no such header in that revision (HDR-24).
  if (session?.versionHeader === false) return session;
  const unknown = headers.find((value) => servedRevision(served, value) === undefined);
  if (unknown !== undefined) throw unsupportedVersion(served, unknown);
  const [name, ...others] = headers;
  if (others.length > 0) throw mismatch();
  if (session !== undefined && (name === undefined || findRevision(name)?.era === 'legacy')) return session;
  const revision = name === undefined ? servedRevision(served, '2025-03-26') : servedRevision(served, name);
  if (revision === undefined) throw missing(served);
  return revision;
}

/** The revision a request is served under; throws `ProtocolError` when there is none (VER-09 … VER-12). */
export function requestRevision(message: RequestMessage, facts: EraFacts): Revision {
  const version = declaredVersion(message.params);
  if (version !== undefined) {
    if (findRevision(version)?.era !== 'legacy') requireEnvelope(message.params);
    return declared(version, facts, true);
  }
  if (message.method === 'initialize') {
    const revision = newestLegacy(facts.served);
    if (revision === undefined) throw missing(facts.served);
    return revision;
  }
  const revision = undeclared(facts);
  // The header alone makes it modern; the body then lacks what it must say (META-07).
  if (revision.era === 'modern') requireEnvelope(message.params);
  return revision;
}

/** Notifications need no headers and no `_meta`, but must not lie (HTTP-24, section 36 #8). */
export function notificationRevision(message: NotificationMessage, facts: EraFacts): Revision {
  const version = declaredVersion(message.params);
  if (version !== undefined) return declared(version, facts, false);
  if (facts.headers.length === 0 && facts.session === undefined) {
    const [newest] = facts.served;
    const revision = newestLegacy(facts.served) ?? newest;
    if (revision !== undefined) return revision;
  }
  return undeclared(facts);
}

export function responseRevision(_message: ResponseMessage, facts: EraFacts): Revision {
  return undeclared(facts);
}
