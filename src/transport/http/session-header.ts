import type { Message } from '../../protocol/call.js';
import { declaredVersion } from '../../protocol/envelope.js';
import { findRevision } from '../../protocol/revisions.js';
import type { LiveSession } from '../../session/live-session.js';
import type { Sessions } from '../../session/sessions.js';
import type { HttpExchange } from './exchange.js';
import { versionsOf } from './version-header.js';

/** A request that should name a live session of its caller, and does not (SESS-06, SESS-07). */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused';

  constructor(
    readonly status: 400 | 404,
    message: string,
  ) {
    super(message);
  }
}

export function sessionIdOf({ raw }: HttpExchange): string | undefined {
  const id = raw.headers['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
}

export async function liveSession(exchange: HttpExchange, sessions: Sessions): Promise<LiveSession> {
  const id = sessionIdOf(exchange);
  if (id === undefined) throw new SessionRefused(400, 'The Mcp-Session-Id header is required');
  const session = await sessions.find(id, exchange.identityKey);
  if (session === undefined) throw new SessionRefused(404, 'The session does not exist');
  return session;
}

/** Modern messages have no session, whatever their headers say (HTTP-04). */
function isModern(exchange: HttpExchange, message: Message | undefined): boolean {
  const version = message === undefined || message.kind === 'response' ? undefined : declaredVersion(message.params);
  if (version !== undefined) return findRevision(version)?.era !== 'legacy';
  const versions = versionsOf(exchange.raw);
  return versions.length > 0 && versions.every((value) => findRevision(value)?.era !== 'legacy');
}

/**
 * The session a POST belongs to; undefined where there are none. `initialize` opens one: an unknown id is ignored there,
 * a live one makes it a second handshake (INIT-07).
 */
export async function sessionOf(
  exchange: HttpExchange,
  sessions: Sessions,
  message: Message | undefined,
): Promise<LiveSession | undefined> {
  if (isModern(exchange, message)) return undefined;
  if (message?.kind !== 'request' || message.method !== 'initialize') return liveSession(exchange, sessions);
  const id = sessionIdOf(exchange);
  if (id !== undefined && (await sessions.find(id, exchange.identityKey)) !== undefined) {
    throw new SessionRefused(400, 'The session is initialized already');
  }
  return undefined;
}
