import type { ClientCapabilities, Conversation, Implementation, LogLevel, Outcome } from '../../protocol/call.js';
import type { Revision } from '../../protocol/revisions.js';
import { admitSubscription } from '../../session/subscriptions.js';

/** What the process remembers of the handshake on its pipe. */
export class PipeConversation implements Conversation {
  readonly id = undefined;
  readonly revision: Revision;
  readonly clientInfo: Implementation;
  readonly clientCapabilities: ClientCapabilities;
  /** `notifications/initialized` arrived: unsolicited messages may be sent (INIT-05). */
  ready = false;
  #logLevel: LogLevel | undefined;
  readonly #subscriptions = new Set<string>();

  constructor(opened: NonNullable<Outcome['opened']>) {
    this.revision = opened.revision;
    this.clientInfo = opened.clientInfo;
    this.clientCapabilities = opened.clientCapabilities;
  }

  get logLevel(): LogLevel | undefined {
    return this.#logLevel;
  }

  setLogLevel(level: LogLevel): void {
    this.#logLevel = level;
  }

  subscribe(uri: string): void {
    admitSubscription(this.#subscriptions, uri);
    this.#subscriptions.add(uri);
  }

  unsubscribe(uri: string): void {
    this.#subscriptions.delete(uri);
  }

  subscribed(uri: string): boolean {
    return this.#subscriptions.has(uri);
  }
}
