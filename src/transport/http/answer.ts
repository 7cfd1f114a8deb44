import type { ServerResponse } from 'node:http';
import type { Outcome } from '../../protocol/call.js';
import type { LiveSession } from '../../session/live-session.js';
import type { SessionStream } from '../../session/session-stream.js';
import { EventStream, type KeepAlive } from './event-stream.js';
import { isWritable, writeEmpty, writeJson } from './writing.js';

/** How long a client waits before it comes back to a stream that broke, in ms. */
export const RETRY_MS = 3_000;

export interface AnswerOptions {
  readonly response: ServerResponse;
  readonly keepAlive: KeepAlive;
  /** The client takes only events: the result travels as one. */
  readonly eventsOnly: boolean;
}

/**
 * The answer to one POST: a JSON body, or an event stream as soon as something must be said before the result (HTTP-23).
 * What is said when the client has gone is lost.
 */
export class PostAnswer {
  #stream: EventStream | undefined;

  constructor(protected readonly options: AnswerOptions) {}

  /** True when the head was sent: a status can no longer be chosen. */
  get committed(): boolean {
    return this.options.response.headersSent;
  }

  say(text: string): void {
    (this.#stream ??= this.openStream()).event(text);
  }

  /** Answers with one message. */
  respond({ status, body, challenge, retryAfterS, silent }: Outcome): void {
    const { response, eventsOnly } = this.options;
    if (silent === true) {
      this.abandon();
      return;
    }
    if (this.#stream !== undefined || (eventsOnly && status === 200)) {
      this.say(body);
      this.#stream?.end();
      return;
    }
    if (challenge === undefined && retryAfterS === undefined) return writeJson(response, status, body);
    writeJson(response, status, body, {
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    });
  }

  /** Answers a batch: one array, or each answer as an event when the stream is open. */
  respondAll(bodies: readonly string[]): void {
    if (bodies.length === 0) {
      this.abandon();
      return;
    }
    if (this.#stream === undefined && !this.options.eventsOnly) {
      writeJson(this.options.response, 200, `[${bodies.join(',')}]`);
      return;
    }
    for (const body of bodies) this.say(body);
    this.#stream?.end();
  }

  /** Nothing more is said: the client cancelled. */
  abandon(): void {
    if (this.#stream === undefined) writeEmpty(this.options.response, 202);
    else this.#stream.end();
  }

  release(_retryMs: number): void {}

  protected openStream(): EventStream {
    return new EventStream(this.options.response, this.options.keepAlive, () => undefined);
  }
}

/** The answer to a POST of a session: its stream outlives the connection and can be resumed (RESM-03). */
export class SessionAnswer extends PostAnswer {
  #session: SessionStream | undefined;
  #outlet: EventStream | undefined;

  constructor(
    options: AnswerOptions,
    private readonly session: LiveSession,
  ) {
    super(options);
  }

  override say(text: string): void {
    this.#open().send(text);
  }

  override respond(outcome: Outcome): void {
    if (this.#session !== undefined) this.#session.finish(outcome.silent === true ? undefined : outcome.body);
    else if (this.options.eventsOnly && outcome.status === 200 && outcome.silent !== true) {
      this.#open().finish(outcome.body);
    } else super.respond(outcome);
  }

  override respondAll(bodies: readonly string[]): void {
    if (this.#session === undefined && (bodies.length === 0 || !this.options.eventsOnly)) {
      super.respondAll(bodies);
      return;
    }
    const stream = this.#open();
    for (const body of bodies) stream.send(body);
    stream.finish();
  }

  override abandon(): void {
    if (this.#session === undefined) super.abandon();
    else this.#session.finish();
  }

  /** Lets the client go; it comes back with the id of the last event (SSE-07, RESM-06). */
  override release(retryMs: number): void {
    this.#open();
    const outlet = this.#outlet;
    if (outlet === undefined) return;
    outlet.retry(retryMs);
    this.#session?.detach(outlet);
    outlet.end();
    this.#outlet = undefined;
  }

  #open(): SessionStream {
    if (this.#session !== undefined) return this.#session;
    const stream = this.session.openStream();
    this.#session = stream;
    if (!isWritable(this.options.response)) return stream;
    const outlet = new EventStream(this.options.response, this.options.keepAlive, (gone) => stream.detach(gone));
    this.#outlet = outlet;
    if (this.session.revision.primingEvents) {
      outlet.prime(stream.position, RETRY_MS);
    }
    stream.attach(outlet);
    return stream;
  }
}
