import { randomUUID } from 'node:crypto';
import { QuestionTimeout, type RequestId, type ResponseMessage } from '../protocol/call.js';
import { encode } from '../protocol/results/encoder.js';
import { ErrorCode, McpError } from '../protocol/errors.js';
import { answeredError } from '../protocol/failures.js';

export interface Question {
  readonly method: string;
  readonly params: object | undefined;
  readonly timeoutMs: number;
  /** The call that asks: when it is aborted, the question is withdrawn. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly settle: (response: ResponseMessage) => void;
  readonly fail: (error: Error) => void;
}

/** setTimeout takes 31 bits; a longer wait would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Requests the server sent to one client and whose answers it awaits. One client's answers can settle only what that
 * client was asked: each session, and each pipe, has its own.
 */
export class PendingQuestions {
  readonly #waiting = new Map<RequestId, Waiting>();
  #closed: Error | undefined;

  constructor(
    /** How many may be open at once: a tool that asks in a loop must not fill the memory. */
    private readonly max = 1_000,
  ) {}

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Sends a request by `send` and settles with its result. Rejects with `McpError` when the client answers with an
   * error, with `QuestionTimeout` when it does not answer in time, with the abort reason when the call ends first. A
   * question given up is cancelled at the client (CANC-07).
   */
  ask(question: Question, send: (text: string) => void): Promise<unknown> {
    const { method, params, timeoutMs, signal } = question;
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (signal.aborted) return Promise.reject(asError(signal.reason));
    if (this.#waiting.size >= this.max) {
      return Promise.reject(new McpError(ErrorCode.InternalError, 'Too many questions are waiting for this client'));
    }
    // An id is never used twice (BASE-05), on no instance, and cannot be guessed by another call's author.
    const id = randomUUID();
    return new Promise<unknown>((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', withdraw);
        this.#waiting.delete(id);
      };
      const giveUp = (error: Error, reason: string): void => {
        done();
        reject(error);
        send(encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason } }));
      };
      const withdraw = (): void => giveUp(asError(signal.reason), 'The call ended');
      const timer = setTimeout(
        () => giveUp(new QuestionTimeout(`No answer to ${method} in time`), 'No answer in time'),
        Math.min(timeoutMs, LONGEST_TIMER_MS),
      );
      timer.unref();
      signal.addEventListener('abort', withdraw, { once: true });
      this.#waiting.set(id, {
        settle: (response) => {
          done();
          if (response.error === undefined) resolve(response.result);
          else reject(answeredError(response.error));
        },
        fail: (error) => {
          done();
          reject(error);
        },
      });
      try {
        send(encode({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }));
      } catch (error) {
        done();
        reject(asError(error));
      }
    });
  }

  /** False for an answer nobody waits for: unknown, late or given twice. It is ignored (BASE-18). */
  settle(response: ResponseMessage): boolean {
    const waiting = this.#waiting.get(response.id);
    waiting?.settle(response);
    return waiting !== undefined;
  }

  /** The client is gone: what waits, and whatever is asked later, fails with this. */
  close(error: Error): void {
    this.#closed = error;
    for (const waiting of [...this.#waiting.values()]) waiting.fail(error);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The call was aborted', { cause: reason });
}
