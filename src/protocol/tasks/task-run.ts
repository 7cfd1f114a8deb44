import type { Call, Channel } from '../call.js';
import { CallContext } from '../call-context.js';
import type { MethodCall } from '../methods/method.js';
import type { Reply } from '../reply.js';
import type { Settlement } from './task-outcome.js';
import { TaskQuestions } from './task-questions.js';
import { related } from './task-wire.js';
import type { TaskRecord } from './tasks.js';

/**
 * One tool call that becomes a task. It begins attached to the call that made it and is cut loose when the answer goes
 * out: from then on only `tasks/cancel`, its ttl or the end of the server stop it (XTASK-17, CANC-09).
 */
export class TaskRun {
  readonly questions: TaskQuestions;
  /** The call as its handler sees it. */
  readonly inner: MethodCall;
  record: TaskRecord | undefined;
  /** Takes the words of a progress report; tasks of the extension have no other progress (PROG-09). */
  onNote: ((message: string) => void) | undefined;
  #over = false;
  #detached = false;
  readonly #context: CallContext;
  readonly #controller = new AbortController();
  /** Calls that wait for the result here; the newest hears of progress. */
  readonly #attending = new Set<Channel>();
  readonly #follow = (): void => this.#controller.abort(this.outer.call.channel.signal.reason);

  constructor(private readonly outer: MethodCall) {
    const { call, message, options } = outer;
    this.questions = new TaskQuestions(outer.round, options.defer);
    const inner = this.#innerCall(call);
    this.#context = new CallContext(message, inner, options, this.questions);
    this.inner = { ...outer, call: inner, context: this.#context };
    if (!this.#isCore) {
      if (call.channel.signal.aborted) this.#follow();
      else call.channel.signal.addEventListener('abort', this.#follow, { once: true });
    }
  }

  /** Its outcome is decided: what the handler still does has no effect. */
  get over(): boolean {
    return this.#over;
  }

  /** Never rejects. */
  async perform(work: (inner: MethodCall) => Promise<Reply>): Promise<Settlement> {
    try {
      return { reply: await work(this.inner) };
    } catch (error) {
      return { error };
    }
  }

  /** The answer that names the task goes out. */
  detach(): void {
    this.#detached = true;
    this.#unfollow();
  }

  /** Nothing more is said for this task. */
  close(): void {
    this.#over = true;
    this.#unfollow();
    this.#context.close();
  }

  abort(reason: Error): void {
    this.close();
    this.questions.end(reason);
    this.#controller.abort(reason);
  }

  /** PROG-08: progress goes to a pending `tasks/result`. Answers with the function that ends it. */
  attend(channel: Channel): () => void {
    this.#attending.add(channel);
    return () => this.#attending.delete(channel);
  }

  get #isCore(): boolean {
    return this.outer.call.revision.tasks === 'core';
  }

  #unfollow(): void {
    if (!this.#isCore) this.outer.call.channel.signal.removeEventListener('abort', this.#follow);
  }

  #innerCall(call: Call): Call {
    const isCommitted = (): boolean => this.#detached || call.channel.committed === true;
    return {
      revision: call.revision,
      transport: call.transport,
      abilities: call.abilities,
      request: call.request,
      response: call.response,
      identity: call.identity,
      identityKey: call.identityKey,
      conversation: call.conversation,
      sessionId: call.sessionId,
      channel: {
        signal: this.#controller.signal,
        get committed() {
          return isCommitted();
        },
        notify: (method, params) => this.#notify(method, params),
      },
    };
  }

  #notify(method: string, params: object): void {
    if (method === 'notifications/progress' && 'message' in params && typeof params.message === 'string') {
      this.onNote?.(params.message);
    }
    if (!this.#isCore) {
      if (!this.#detached) this.outer.call.channel.notify?.(method, params);
      return;
    }
    if (this.record !== undefined) [...this.#attending].at(-1)?.notify?.(method, related(params, this.record.id));
  }
}
