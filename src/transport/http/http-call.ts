import type { Call, Channel, Conversation, TransportAbilities } from '../../protocol/call.js';
import type { McpLogger } from '../../protocol/logger.js';
import type { Revision } from '../../protocol/revisions.js';
import type { HttpExchange } from './exchange.js';
import { HandlerResponse } from './handler-response.js';

/** Modern requests can be spoken to while they run, and listen for changes. */
const MODERN: TransportAbilities = Object.freeze({ streams: true, conversation: false });
const SESSION: TransportAbilities = Object.freeze({ streams: true, conversation: true });

/** One message of an exchange, as the protocol sees it. */
export class HttpCall implements Call {
  readonly transport = 'http';
  readonly abilities: TransportAbilities;
  #response: HandlerResponse | undefined;

  constructor(
    private readonly exchange: HttpExchange,
    private readonly logger: McpLogger,
    readonly revision: Revision,
    readonly channel: Channel,
    readonly conversation: Conversation | undefined,
    sessions: boolean,
  ) {
    this.abilities = revision.era === 'legacy' && sessions ? SESSION : MODERN;
  }

  get request(): object {
    return this.exchange.request;
  }

  get identity(): unknown {
    return this.exchange.identity;
  }

  get identityKey(): string | undefined {
    return this.exchange.identityKey;
  }

  get sessionId(): string | undefined {
    return this.exchange.sessionId;
  }

  get response(): HandlerResponse {
    return (this.#response ??= new HandlerResponse(this.exchange.rawResponse, this.logger));
  }
}
