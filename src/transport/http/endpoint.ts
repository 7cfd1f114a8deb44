import { ServerClosing, type RequestId } from '../../protocol/call.js';
import { ErrorCode, ProtocolError } from '../../protocol/errors.js';
import { classify, type MessageFailure } from '../../protocol/messages.js';
import type { LiveSession } from '../../session/live-session.js';
import type { Flight } from '../../session/in-flight.js';
import { PostAnswer, SessionAnswer } from './answer.js';
import { serveBatch } from './batch.js';
import type { EndpointOptions } from './endpoint-options.js';
import { KeepAlive } from './event-stream.js';
import type { HttpExchange } from './exchange.js';
import { acceptedTypes, type Accepted } from './media-range.js';
import { MessageService, type Place } from './message-service.js';
import { readPost, refusalOf, refusedHead, type PostedJson } from './post.js';
import { sessionOf, SessionRefused } from './session-header.js';
import { SessionVerbs } from './session-verbs.js';
import { refuse, refuseUnread, type Refusal } from './writing.js';

/** After their abort, calls have this long to answer with what they have, in ms. */
const LAST_WORDS_MS = 250;

/** The Streamable HTTP endpoint: one path, every revision. Each request gets an answer, whatever happens. */
export class HttpEndpoint {
  /** What `Allow` says. */
  readonly allow: string;
  readonly #service: MessageService;
  readonly #verbs: SessionVerbs | undefined;
  readonly #keepAlive: KeepAlive;
  readonly #flights = new Set<Flight>();
  /** Those that never end by themselves: they are ended first at shutdown. */
  readonly #listening = new Set<Flight>();
  #closing = false;
  #landed: (() => void) | undefined;

  constructor(private readonly options: EndpointOptions) {
    const { sessions } = options;
    this.allow = sessions === undefined ? 'POST' : 'POST, GET, DELETE';
    this.#keepAlive = new KeepAlive(options.keepAliveMs ?? 15_000);
    this.#service = new MessageService(options);
    this.#verbs = sessions === undefined ? undefined : new SessionVerbs(sessions, options, this.#keepAlive);
  }

  /** Event streams open now. */
  get streams(): number {
    return this.#keepAlive.size;
  }

  async handle(exchange: HttpExchange): Promise<void> {
    try {
      await this.#route(exchange);
    } catch (error) {
      this.options.logger.error('An MCP request failed', error);
      refuse(exchange.rawResponse, { status: 500, code: ErrorCode.InternalError, message: 'Internal error' });
    }
  }

  /** Stops accepting, lets running calls finish for a while, then ends everything. Never rejects. */
  async close(): Promise<void> {
    this.#closing = true;
    const closing = new ServerClosing('The server is shutting down');
    for (const flight of this.#listening) flight.abort(closing);
    await this.#drained(this.options.drainMs ?? 5_000);
    for (const flight of this.#flights) flight.abort(closing);
    await this.#drained(LAST_WORDS_MS);
    this.options.sessions?.close();
  }

  #route(exchange: HttpExchange): void | Promise<void> {
    const { raw, rawResponse } = exchange;
    if (this.#closing) {
      refuseUnread(raw, rawResponse, { status: 503, message: 'The server is shutting down' });
      return;
    }
    if (raw.method === 'POST') return this.#post(exchange);
    if (this.#verbs?.serves(raw) === true) return this.#verbs.serve(exchange);
    refuseUnread(raw, rawResponse, { status: 405, message: 'Method not allowed', headers: { allow: this.allow } });
  }

  async #post(exchange: HttpExchange): Promise<void> {
    const { raw, rawResponse } = exchange;
    const accepted = acceptedTypes(raw.headers.accept);
    if (!accepted.json && !accepted.events) {
      const message = 'Accept must allow application/json or text/event-stream';
      refuseUnread(raw, rawResponse, { status: 406, message });
      return;
    }
    const refusal = refusedHead(exchange, this.options);
    if (refusal !== undefined) {
      refuseUnread(raw, rawResponse, refusal);
      return;
    }
    const posted = await readPost(exchange, this.options);
    if (posted === undefined) return;
    await this.#serve(posted, exchange, accepted);
  }

  async #serve(posted: PostedJson, exchange: HttpExchange, accepted: Accepted): Promise<void> {
    const { value, inexactIds } = posted;
    const batch = Array.isArray(value);
    const message = batch ? undefined : classify(value, inexactIds);
    if (message?.kind === 'failure') {
      refuse(exchange.rawResponse, failed(message));
      return;
    }
    const id = message?.kind === 'request' ? message.id : undefined;
    try {
      const session = await sessionOf(exchange, this.options.sessions, message);
      const place = this.#place(exchange, accepted, session);
      if (batch) await serveBatch(value, inexactIds, place, this.#service, this.options.limits.batchItems);
      else if (message !== undefined) await this.#service.serve(message, place);
    } catch (error) {
      if (error instanceof ProtocolError) refuse(exchange.rawResponse, refusalOf(error, id));
      else if (error instanceof SessionRefused) {
        refuse(exchange.rawResponse, {
          status: error.status,
          message: error.message,
          ...(id === undefined ? {} : { id }),
        });
      } else throw error;
    }
  }

  #place(exchange: HttpExchange, accepted: Accepted, session: LiveSession | undefined): Place {
    const options = { response: exchange.rawResponse, keepAlive: this.#keepAlive, eventsOnly: !accepted.json };
    return {
      exchange,
      accepted,
      session,
      answer: session === undefined ? new PostAnswer(options) : new SessionAnswer(options, session),
      streamsLeft: this.#keepAlive.size < (this.options.maxStreams ?? 10_000),
      began: (flight, listening) => this.#began(flight, listening),
      ended: (flight) => this.#ended(flight),
    };
  }

  #began(flight: Flight, listening: boolean): void {
    this.#flights.add(flight);
    if (listening) this.#listening.add(flight);
  }

  #ended(flight: Flight): void {
    this.#flights.delete(flight);
    this.#listening.delete(flight);
    if (this.#flights.size === 0) this.#landed?.();
  }

  async #drained(ms: number): Promise<void> {
    if (this.#flights.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#landed = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}

function failed({ code, message, id }: MessageFailure): Refusal & { readonly id?: RequestId } {
  return { status: 400, code, message, ...(id === undefined ? {} : { id }) };
}
