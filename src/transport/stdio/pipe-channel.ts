import type { Channel } from '../../protocol/call.js';
import { encode } from '../../protocol/results/encoder.js';
import type { Flight } from '../../session/in-flight.js';
import type { PendingQuestions } from '../../session/pending-questions.js';

/** Where the messages of one call on a pipe go: between the answers of others, while the call is open. */
export class PipeChannel implements Channel {
  constructor(
    protected readonly flight: Flight,
    protected readonly send: (text: string) => void,
  ) {}

  get signal(): AbortSignal {
    return this.flight.signal;
  }

  notify(method: string, params: object): void {
    if (this.flight.open) this.send(encode({ jsonrpc: '2.0', method, params }));
  }
}

/** The channel of a handshake-era call: the client can be asked (STDIO-05). */
export class AskingPipeChannel extends PipeChannel {
  constructor(
    flight: Flight,
    send: (text: string) => void,
    private readonly questions: PendingQuestions,
  ) {
    super(flight, send);
  }

  ask(method: string, params: object | undefined, options: { readonly timeoutMs: number }): Promise<unknown> {
    return this.questions.ask({ method, params, timeoutMs: options.timeoutMs, signal: this.signal }, this.send);
  }
}
