import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsumedBody } from './body.js';

/** One HTTP request that passed the door, as the application hands it over. */
export interface HttpExchange {
  readonly raw: IncomingMessage;
  /** Holds whatever headers the application set before. */
  readonly rawResponse: ServerResponse;
  /** What hooks and handlers get as request: Express's or Fastify's. */
  readonly request: object;
  readonly identity: unknown;
  readonly identityKey: string | undefined;
  /** What handlers get as session id where no session is kept. */
  readonly sessionId?: string | undefined;
  /** The body, when somebody read it before us. */
  readonly consumed?: ConsumedBody;
  /** Answers `100 Continue`, when the client waits for it. */
  readonly continue?: () => void;
}
