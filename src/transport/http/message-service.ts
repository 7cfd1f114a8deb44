import type { Channel, NotificationMessage, Outcome, RequestMessage, ResponseMessage } from '../../protocol/call.js';
import { ProtocolError } from '../../protocol/errors.js';
import type { Revision } from '../../protocol/revisions.js';
import { Flight } from '../../session/in-flight.js';
import type { LiveSession } from '../../session/live-session.js';
import { checkNotification, checkRequest } from './agreement.js';
import type { PostAnswer } from './answer.js';
import { SessionChannel, SilentChannel, TalkingChannel } from './channels.js';
import type { EndpointOptions } from './endpoint-options.js';
import { notificationRevision, requestRevision, responseRevision, type EraFacts } from './era.js';
import type { HttpExchange } from './exchange.js';
import type { Flights } from './flights.js';
import { HttpCall } from './http-call.js';
import type { Accepted } from './media-range.js';
import { versionsOf } from './version-header.js';
import { writeEmpty } from './writing.js';

/** Where the messages of one POST are served. */
export interface Place {
  readonly exchange: HttpExchange;
  readonly accepted: Accepted;
  readonly session: LiveSession | undefined;
  readonly answer: PostAnswer;
  /** One more event stream may be opened. */
  readonly streamsLeft: boolean;
  readonly flights: Flights;
}

const LISTEN = 'subscriptions/listen';

/** Serves single messages of a POST. What it throws is a `ProtocolError`: nothing was answered then. */
export class MessageService {
  constructor(private readonly options: EndpointOptions) {}

  async serve(message: RequestMessage | NotificationMessage | ResponseMessage, place: Place): Promise<void> {
    const { rawResponse } = place.exchange;
    switch (message.kind) {
      case 'request': {
        const outcome = await this.request(message, place);
        if (outcome.opened !== undefined) await this.#open(outcome.opened, place);
        place.answer.respond(outcome);
        return;
      }
      case 'notification':
        await this.notification(message, place);
        break;
      case 'response':
        this.response(message, place);
    }
    writeEmpty(rawResponse, 202);
  }

  /** Judges a request and has it answered. */
  async request(message: RequestMessage, place: Place, batched?: Revision): Promise<Outcome> {
    const { server } = this.options;
    const revision = batched ?? requestRevision(message, this.facts(place));
    const { session } = place;
    // Some clients number every request 1: the second one is served all the same, it just cannot be cancelled.
    const flight = session?.inFlight.begin(message.id) ?? new Flight(message.id);
    const call = this.#call(place, revision, this.#channel(place, revision, flight));
    place.flights.began(flight, place.answer, message.method === LISTEN);
    try {
      if (revision.era === 'modern') {
        const agreement = checkRequest(message, call, place.exchange.raw, server);
        if (agreement !== undefined) await agreement;
      }
      const outcome = await server.handle(message, call);
      return flight.cancelled ? { ...outcome, silent: true } : outcome;
    } finally {
      session?.inFlight.end(flight);
      flight.end();
      place.flights.ended(flight);
    }
  }

  async notification(message: NotificationMessage, place: Place, batched?: Revision): Promise<void> {
    const revision = batched ?? notificationRevision(message, this.facts(place));
    if (revision.era === 'modern') checkNotification(message, place.exchange.raw);
    const { session } = place;
    if (session !== undefined && message.method === 'notifications/cancelled') session.inFlight.cancel(message.params);
    const flight = new Flight('', false);
    await this.options.server.notify(
      message,
      this.#call(place, revision, new SilentChannel(place.answer, flight, undefined)),
    );
  }

  /** Answers of the client settle only what its own session asked; others are dropped (BASE-18). */
  response(message: ResponseMessage, place: Place, batched?: Revision): void {
    const revision = batched ?? responseRevision(message, this.facts(place));
    if (revision.era === 'modern') {
      // BASE-17.
      throw new ProtocolError(-32600, `Protocol revision ${revision.name} has no responses from clients`, 400);
    }
    place.session?.questions.settle(message);
  }

  facts({ exchange, session }: Place): EraFacts {
    const { revisions } = this.options.server;
    const headers = versionsOf(exchange.raw);
    return session === undefined
      ? { served: revisions, headers }
      : { served: revisions, headers, session: session.revision };
  }

  #call({ exchange, session }: Place, revision: Revision, channel: Channel): HttpCall {
    return new HttpCall(exchange, this.options.logger, revision, channel, session, this.options.sessions !== undefined);
  }

  #channel(place: Place, revision: Revision, flight: Flight): SilentChannel {
    const { answer, accepted, session, exchange, streamsLeft } = place;
    // A handshake-era client that loses its connection may come back for the result (SSE-12).
    const leaving = revision.era === 'modern' ? exchange.rawResponse : undefined;
    if (!accepted.events || !streamsLeft) return new SilentChannel(answer, flight, leaving);
    return session === undefined
      ? new TalkingChannel(answer, flight, leaving)
      : new SessionChannel(answer, flight, session.questions);
  }

  /** Opens the session of a successful `initialize`. */
  async #open(opened: NonNullable<Outcome['opened']>, { exchange }: Place): Promise<void> {
    const { sessions } = this.options;
    if (sessions === undefined) return;
    const session = await sessions.open({ ...opened, identityKey: exchange.identityKey });
    exchange.rawResponse.setHeader('mcp-session-id', session.id);
  }
}
