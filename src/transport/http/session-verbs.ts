import type { IncomingMessage } from 'node:http';
import { servedRevision, unsupportedVersion } from '../../protocol/envelope.js';
import { ProtocolError } from '../../protocol/errors.js';
import { findRevision } from '../../protocol/revisions.js';
import type { LiveSession } from '../../session/live-session.js';
import type { Sessions } from '../../session/sessions.js';
import { RETRY_MS } from './answer.js';
import type { EndpointOptions } from './endpoint-options.js';
import { EventStream, type KeepAlive } from './event-stream.js';
import type { HttpExchange } from './exchange.js';
import { acceptedTypes } from './media-range.js';
import { refusalOf } from './post.js';
import { liveSession, SessionRefused } from './session-header.js';
import { versionsOf } from './version-header.js';
import { refuse, refuseUnread, writeEmpty, type Refusal } from './writing.js';

/** A body of GET or DELETE means nothing and is not read: nothing else can come after it on its connection. */
function announcesBody({ headers, httpVersionMajor }: IncomingMessage): boolean {
  const announced = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return announced && httpVersionMajor < 2;
}

function refuseVerb({ raw, rawResponse }: HttpExchange, refusal: Refusal): void {
  if (announcesBody(raw)) refuseUnread(raw, rawResponse, refusal);
  else refuse(rawResponse, refusal);
}

/** GET and DELETE of handshake-era sessions. */
export class SessionVerbs {
  constructor(
    private readonly sessions: Sessions,
    private readonly options: EndpointOptions,
    private readonly keepAlive: KeepAlive,
  ) {}

  /** False for other methods, and for modern clients in every configuration (HTTP-03). */
  serves(request: IncomingMessage): boolean {
    if (request.method !== 'GET' && request.method !== 'DELETE') return false;
    return !versionsOf(request).some((version) => findRevision(version)?.era === 'modern');
  }

  async serve(exchange: HttpExchange): Promise<void> {
    const { raw, rawResponse } = exchange;
    if (announcesBody(raw) && !rawResponse.headersSent) rawResponse.setHeader('connection', 'close');
    try {
      const { revisions } = this.options.server;
      const unknown = versionsOf(raw).find((version) => servedRevision(revisions, version) === undefined);
      if (unknown !== undefined) throw unsupportedVersion(revisions, unknown);
      if (raw.method === 'GET') await this.#listen(exchange);
      else await this.#end(exchange);
    } catch (error) {
      if (error instanceof ProtocolError) refuseVerb(exchange, refusalOf(error));
      else if (error instanceof SessionRefused) refuseVerb(exchange, { status: error.status, message: error.message });
      else throw error;
    }
  }

  async #end(exchange: HttpExchange): Promise<void> {
    const session = await liveSession(exchange, this.sessions);
    await this.sessions.end(session.id, exchange.identityKey);
    writeEmpty(exchange.rawResponse, 204);
  }

  async #listen(exchange: HttpExchange): Promise<void> {
    const { raw } = exchange;
    if (!acceptedTypes(raw.headers.accept).events) {
      refuseVerb(exchange, { status: 406, message: 'Accept must allow text/event-stream' });
      return;
    }
    const session = await liveSession(exchange, this.sessions);
    if (this.keepAlive.size >= (this.options.maxStreams ?? 10_000)) {
      refuseVerb(exchange, { status: 503, message: 'Too many event streams', headers: { 'retry-after': '10' } });
      return;
    }
    const lastEventId = raw.headers['last-event-id'];
    if (typeof lastEventId === 'string') await this.#resume(session, lastEventId, exchange);
    else this.#open(session, exchange);
  }

  #open(session: LiveSession, { rawResponse }: HttpExchange): void {
    const stream = session.openStandalone();
    const outlet = new EventStream(rawResponse, this.keepAlive, (gone) => stream.detach(gone));
    if (session.revision.primingEvents) outlet.prime(stream.position, RETRY_MS);
    stream.attach(outlet);
    outlet.announce();
  }

  async #resume(session: LiveSession, lastEventId: string, exchange: HttpExchange): Promise<void> {
    const resumption = await session.resume(lastEventId);
    if (resumption === undefined) {
      refuseVerb(exchange, { status: 400, message: 'Last-Event-ID names nothing that is kept' });
      return;
    }
    const outlet = new EventStream(exchange.rawResponse, this.keepAlive, (gone) => resumption.disconnect(gone));
    outlet.announce();
    await resumption.connect(outlet);
  }
}
