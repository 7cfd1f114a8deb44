import { CallCancelled, type Channel } from '../../protocol/call.js';
import { encode } from '../../protocol/results/encoder.js';
import type { Flight } from '../../session/in-flight.js';
import type { PendingQuestions } from '../../session/pending-questions.js';
import type { ServerResponse } from 'node:http';
import type { PostAnswer } from './answer.js';

/** A call whose client takes no events: nothing can be said before the result. */
export class SilentChannel implements Channel {
  constructor(
    protected readonly answer: PostAnswer,
    readonly flight: Flight,
    /** Modern: whose closing cancels the call (SSE-11, CANC-05). */
    private readonly response: ServerResponse | undefined,
  ) {}

  get signal(): AbortSignal {
    const { response, flight } = this;
    if (response !== undefined && !this.#watching) {
      this.#watching = true;
      const leave = (): void => {
        if (!response.writableFinished) flight.abort(new CallCancelled('The client left'));
      };
      if (response.destroyed) leave();
      else response.once('close', leave);
    }
    return flight.signal;
  }

  get committed(): boolean {
    return this.answer.committed;
  }

  #watching = false;
}

/** A call that can speak before its result. */
export class TalkingChannel extends SilentChannel {
  notify(method: string, params: object): void {
    if (this.flight.open) this.answer.say(encode({ jsonrpc: '2.0', method, params }));
  }
}

/** A call of a session: the client can be asked, and let go for a while. */
export class SessionChannel extends TalkingChannel {
  constructor(
    answer: PostAnswer,
    flight: Flight,
    private readonly questions: PendingQuestions,
  ) {
    super(answer, flight, undefined);
  }

  ask(method: string, params: object | undefined, options: { readonly timeoutMs: number }): Promise<unknown> {
    const question = { method, params, timeoutMs: options.timeoutMs, signal: this.signal };
    return this.questions.ask(question, (text) => this.answer.say(text));
  }

  release(retryMs: number): void {
    if (this.flight.open) this.answer.release(retryMs);
  }
}
