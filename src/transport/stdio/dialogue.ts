import {
  ServerClosing,
  type Call,
  type NotificationMessage,
  type Outcome,
  type ProtocolServer,
  type RequestMessage,
  type TransportAbilities,
} from '../../protocol/call.js';
import type { Change } from '../../protocol/changes.js';
import { encodeError, encodeResult } from '../../protocol/results/encoder.js';
import { ErrorCode, ProtocolError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/json/json.js';
import { readJson } from '../../protocol/json/json-reader.js';
import type { McpLogger } from '../../protocol/logger.js';
import { classify } from '../../protocol/messages.js';
import { changeMessage } from '../../session/change-messages.js';
import { Flight, InFlight } from '../../session/in-flight.js';
import { PendingQuestions } from '../../session/pending-questions.js';
import { AnswerOrder, type Settle } from './answer-order.js';
import { joinAnswers } from './batch.js';
import { AskingPipeChannel, PipeChannel } from './pipe-channel.js';
import { PipeConversation } from './pipe-conversation.js';
import { routeNotification, routeRequest, type Route } from './route.js';
import { PIPE_ORIGIN, type CallOrigin } from './stand-ins.js';

export interface DialogueOptions {
  readonly server: ProtocolServer;
  readonly logger: McpLogger;
  /** Takes one JSON text for the client. */
  readonly send: (text: string) => void;
  /** The client asked for the end by `shutdown` or `exit`; undefined when these methods do not exist. */
  readonly onExit: (() => void) | undefined;
  readonly ordered: boolean;
  readonly maxBatchItems: number;
  /** Asked for every message. Default: a pipe. */
  readonly origin?: () => CallOrigin;
}

const ABILITIES: TransportAbilities = Object.freeze({ streams: true, conversation: true });
const LISTEN = 'subscriptions/listen';
/** Notifications are served outside any request: nothing can cancel them. */
const NO_FLIGHT = new Flight('', false);

/** What is said on one pipe: each text becomes a message, is judged, served and answered. */
export class PipeDialogue {
  readonly #order: AnswerOrder | undefined;
  readonly #inFlight = new InFlight();
  readonly #questions = new PendingQuestions();
  readonly #subscriptions = new Set<Flight>();
  readonly #answer: Settle;
  #conversation: PipeConversation | undefined;
  /** Texts that wait for the outcome of `initialize`: they may have been written in one go with it. */
  #held: string[] | undefined;
  #closing: ServerClosing | undefined;
  #exited = false;

  constructor(private readonly options: DialogueOptions) {
    this.#order = options.ordered ? new AnswerOrder(options.send) : undefined;
    this.#answer = (text) => {
      if (text !== undefined) options.send(text);
    };
  }

  /** Takes the text of one line or frame. */
  hear(text: string): void {
    if (this.#exited) return;
    if (this.#held !== undefined) {
      this.#held.push(text);
      return;
    }
    const reading = readJson(text);
    if (!reading.ok) {
      this.refuse(reading.kind === 'syntax' ? ErrorCode.ParseError : ErrorCode.InvalidRequest, reading.reason);
    } else if (Array.isArray(reading.value) && this.#conversation?.revision.batches === true) {
      this.#batch(reading.value, reading.inexactIds);
    } else {
      this.#message(reading.value, reading.inexactIds, this.#place());
    }
  }

  /** Answers something that is no message. */
  refuse(code: number, reason: string): void {
    this.#place()(encodeError(undefined, code, reason));
  }

  /** Tells a handshake-era client of a change. */
  tell(change: Change): void {
    const conversation = this.#conversation;
    if (conversation?.ready !== true) return;
    if (change.kind === 'resource' && !conversation.subscribed(change.uri)) return;
    const message = changeMessage(change);
    if (message !== undefined) this.options.send(message);
  }

  /**
   * No answers will come from the client any more. Subscriptions never end by themselves, so they are ended first
   * (STDIO-10, SUB-10). Settles when all requests are answered.
   */
  async drain(): Promise<void> {
    this.#closing ??= new ServerClosing('The client closed its side, or the server is shutting down');
    this.#questions.close(this.#closing);
    for (const flight of this.#subscriptions) flight.abort(this.#closing);
    // What was held back behind `initialize` begins when it lands.
    while (this.#inFlight.size > 0) await this.#inFlight.landed();
  }

  /** Aborts what still runs. */
  abort(reason: Error): void {
    this.#exited = true;
    this.#questions.close(reason);
    this.#inFlight.abortAll(reason);
  }

  #place(): Settle {
    return this.#order === undefined ? this.#answer : this.#order.reserve();
  }

  #batch(items: readonly unknown[], inexactIds: ReadonlySet<unknown> | undefined): void {
    const { maxBatchItems } = this.options;
    if (items.length === 0) return this.refuse(ErrorCode.InvalidRequest, 'A batch must not be empty');
    if (items.length > maxBatchItems) {
      return this.refuse(ErrorCode.InvalidRequest, `A batch must not have more than ${maxBatchItems} messages`);
    }
    // BASE-20.
    if (items.some((item) => isObject(item) && item['method'] === 'initialize')) {
      return this.refuse(ErrorCode.InvalidRequest, 'initialize must not be part of a batch');
    }
    const places = joinAnswers(items.length, this.#place());
    for (const [index, item] of items.entries()) this.#message(item, inexactIds, places[index] ?? this.#answer);
  }

  #message(value: unknown, inexactIds: ReadonlySet<unknown> | undefined, settle: Settle): void {
    const message = classify(value, inexactIds);
    switch (message.kind) {
      case 'request':
        return this.#request(message, settle);
      case 'failure':
        return settle(message.silent ? undefined : encodeError(message.id, message.code, message.message));
      case 'notification':
        settle(undefined);
        return this.#notification(message);
      case 'response':
        settle(undefined);
        // Unknown ids are ignored, and so is a modern client, which was never asked (BASE-17, BASE-18).
        this.#questions.settle(message);
    }
  }

  #request(received: RequestMessage, settle: Settle): void {
    const { server, onExit } = this.options;
    if (onExit !== undefined && (received.method === 'shutdown' || received.method === 'exit')) {
      settle(encodeResult(received.id, '{}'));
      return this.#exit(onExit);
    }
    let route: Route<RequestMessage>;
    try {
      route = routeRequest(received, server.revisions, this.#conversation);
    } catch (error) {
      return settle(this.#failed(received, error));
    }
    const { message, revision } = route;
    const opening = message.method === 'initialize' && revision.era === 'legacy';
    const flight = this.#inFlight.begin(message.id, !opening);
    if (flight === undefined) {
      return settle(encodeError(message.id, ErrorCode.InvalidRequest, 'A request with this id is being served'));
    }
    // Whoever waits behind a cancelled request in its batch or in the order of answers waits no longer.
    flight.onCancel = () => settle(undefined);
    if (opening) this.#held = [];
    const answer = message.method === LISTEN ? this.#subscription(flight, settle) : settle;
    server.handle(message, this.#call(route, flight)).then(
      (outcome) => this.#settled(flight, answer, outcome),
      (error: unknown) => this.#settled(flight, answer, { status: 500, body: this.#failed(message, error) }),
    );
  }

  /** Its answer is withheld while it lasts: others must not wait behind it. */
  #subscription(flight: Flight, settle: Settle): Settle {
    this.#subscriptions.add(flight);
    if (this.#closing !== undefined) flight.abort(this.#closing);
    settle(undefined);
    return this.#answer;
  }

  #settled(flight: Flight, settle: Settle, outcome: Outcome): void {
    this.#subscriptions.delete(flight);
    this.#inFlight.end(flight);
    if (flight.cancelled) return;
    settle(outcome.silent === true ? undefined : outcome.body);
    if (flight.cancellable) return;
    if (outcome.opened !== undefined) this.#conversation = new PipeConversation(outcome.opened);
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.hear(text);
  }

  #notification(message: NotificationMessage): void {
    const { server, logger, onExit } = this.options;
    if (message.method === 'notifications/cancelled') {
      // It follows the era of the request it names: both eras are in flight side by side (VER-10).
      this.#inFlight.cancel(message.params);
      return;
    }
    if (onExit !== undefined && message.method === 'exit') return this.#exit(onExit);
    const route = routeNotification(message, server.revisions, this.#conversation);
    if (route === undefined) return;
    if (route.conversation !== undefined && message.method === 'notifications/initialized') {
      route.conversation.ready = true;
    }
    server
      .notify(message, this.#call(route, NO_FLIGHT))
      .catch((error: unknown) => logger.error(`${message.method} failed`, error));
  }

  #exit(onExit: () => void): void {
    this.#exited = true;
    onExit();
  }

  #call({ revision, conversation }: Route<unknown>, flight: Flight): Call {
    const { send, origin } = this.options;
    const { transport, request, response, identity, identityKey } = origin?.() ?? PIPE_ORIGIN;
    const asks = conversation !== undefined && revision.serverRequests;
    return {
      revision,
      transport,
      abilities: ABILITIES,
      request,
      response,
      identity,
      identityKey,
      conversation,
      channel: asks ? new AskingPipeChannel(flight, send, this.#questions) : new PipeChannel(flight, send),
    };
  }

  #failed({ id, method }: RequestMessage, error: unknown): string {
    if (error instanceof ProtocolError) return encodeError(id, error.code, error.message, error.data);
    this.options.logger.error(`${method} failed`, error);
    return encodeError(id, ErrorCode.InternalError, 'Internal error');
  }
}
