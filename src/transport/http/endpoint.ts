import { ServerClosing, type RequestId } from '../../protocol/call.js';
import { encodeError } from '../../protocol/results/encoder.js';
import { ErrorCode, ProtocolError } from '../../protocol/errors.js';
import { classify, type MessageFailure } from '../../protocol/messages.js';
import type { LiveSession } from '../../session/live-session.js';
import { PostAnswer, SessionAnswer } from './answer.js';
import { serveBatch } from './batch.js';
import type { EndpointOptions } from './endpoint-options.js';
import { KeepAlive } from './event-stream.js';
import type { HttpExchange } from './exchange.js';
import { Flights } from './flights.js';
import { acceptedTypes, type Accepted } from './media-range.js';
import { MessageService, type Place } from './message-service.js';
import { readPost, refusalOf, refusedHead, type PostedJson } from './post.js';
import { sessionOf, SessionRefused } from './session-header.js';
import { SessionVerbs } from './session-verbs.js';
import { refuse, refuseUnread, type Refusal } from './writing.js';

/** After their abort, calls have this long to answer with what they have, in ms. */
const LAST_WORDS_MS = 250;
const CLOSING = 'The server is shutting down';

/** The Streamable HTTP endpoint: one path, every revision. Each request gets an answer, whatever happens. */
export class HttpEndpoint {
  /** What `Allow` says. */
  readonly allow: string;
  readonly #service: MessageService;
  readonly #verbs: SessionVerbs | undefined;
  readonly #keepAlive: KeepAlive;
  readonly #flights = new Flights();
  /** Not done yet: bodies may be on their way, hooks of the host at work. */
  readonly #entered = new Set<HttpExchange>();
  #closing = false;

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

  /** Answers one request. Never rejects; settles when the answer is complete, which for a stream may be hours. */
  async handle(exchange: HttpExchange): Promise<void> {
    this.#entered.add(exchange);
    try {
      await this.#route(exchange);
    } catch (error) {
      this.#failed(error, exchange);
    } finally {
      this.#entered.delete(exchange);
    }
  }

  /** Stops accepting, lets running calls finish for a while, then ends everything. Never rejects. */
  async close(): Promise<void> {
    this.#closing = true;
    const closing = new ServerClosing(CLOSING);
    this.#flights.abortListening(closing);
    await this.#flights.landed(this.options.drainMs ?? 5_000);
    this.#flights.abortAll(closing);
    await this.#flights.landed(LAST_WORDS_MS);
    this.#flights.answerAll(({ id }) => ({ status: 503, body: encodeError(id, ErrorCode.InternalError, CLOSING) }));
    this.options.sessions?.close();
    for (const exchange of this.#entered) this.#refuseClosing(exchange);
  }

  #refuseClosing({ raw, rawResponse }: HttpExchange): void {
    refuseUnread(raw, rawResponse, { status: 503, message: CLOSING });
  }

  #route(exchange: HttpExchange): void | Promise<void> {
    const { raw, rawResponse } = exchange;
    // Somebody in front of us answered already.
    if (rawResponse.headersSent) return;
    if (this.#closing) return this.#refuseClosing(exchange);
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
      const { sessions } = this.options;
      const session = sessions === undefined ? undefined : await sessionOf(exchange, sessions, message);
      // What begins after the others were ended would never be.
      if (this.#closing) return this.#refuseClosing(exchange);
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
      } else this.#failed(error, exchange, id);
    }
  }

  /** The last resort: an answer without detail, or the end of one that was begun. */
  #failed(error: unknown, { rawResponse }: HttpExchange, id?: RequestId): void {
    this.options.logger.error('An MCP request failed', error);
    const refusal = { status: 500, code: ErrorCode.InternalError, message: 'Internal error' };
    if (!rawResponse.headersSent) refuse(rawResponse, id === undefined ? refusal : { ...refusal, id });
    else if (!rawResponse.writableEnded) rawResponse.destroy();
  }

  #place(exchange: HttpExchange, accepted: Accepted, session: LiveSession | undefined): Place {
    const options = { response: exchange.rawResponse, keepAlive: this.#keepAlive, eventsOnly: !accepted.json };
    return {
      exchange,
      accepted,
      session,
      answer: session === undefined ? new PostAnswer(options) : new SessionAnswer(options, session),
      streamsLeft: this.#keepAlive.size < (this.options.maxStreams ?? 10_000),
      flights: this.#flights,
    };
  }
}

function failed({ code, message, id }: MessageFailure): Refusal & { readonly id?: RequestId } {
  return { status: 400, code, message, ...(id === undefined ? {} : { id }) };
}
