import { QuestionTimeout, type Channel } from '../call.js';
import { ErrorCode, McpError } from '../errors.js';
import { OPAQUE, report } from '../failures.js';
import type { MethodCall } from '../methods/method.js';
import { failedAnswer, type TaskAnswer } from './task-answers.js';
import type { TaskRunner } from './task-runner.js';
import { related } from './task-wire.js';
import type { TaskQuestion, TaskRecord } from './tasks.js';

/**
 * 2025-11-25: asks the questions of a task on the stream of a call that waits for its result (LTASK-14). Without such a
 * call, or when it cannot ask, the task stays `input_required`.
 */
export class TaskInterview {
  readonly #asked = new Set<string>();
  readonly #channel: Channel;
  #over = false;

  constructor(
    private readonly request: MethodCall,
    private readonly runner: TaskRunner,
  ) {
    this.#channel = request.call.channel;
  }

  /** Asks what is outstanding and was not asked here before. */
  ask(record: TaskRecord): void {
    if (this.#channel.ask === undefined) return;
    for (const [key, question] of Object.entries(record.questions)) {
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      void this.#put(record, key, question);
    }
  }

  /** Another call may ask from now on; an answer that still comes is taken. */
  close(): void {
    this.#over = true;
  }

  async #put(record: TaskRecord, key: string, question: TaskQuestion): Promise<void> {
    const { id, identityKey } = record;
    try {
      const answer = await this.#answer(record, key, question);
      if (answer === undefined) return;
      const updated = await this.runner.store.update(id, identityKey, { kind: 'answer', answers: { [key]: answer } });
      if (updated !== undefined) this.runner.announce(id);
    } catch (error) {
      report(this.request.options, 'The task store', error);
    }
  }

  /** Undefined: the call ended before there was an answer. */
  async #answer({ id }: TaskRecord, key: string, { method, params }: TaskQuestion): Promise<TaskAnswer | undefined> {
    const timeoutMs = this.runner.timeoutOf(id, key) ?? this.request.options.questionTimeoutMs;
    try {
      return { value: await this.#channel.ask?.(method, related(params, id), { timeoutMs }) };
    } catch (error) {
      if (this.#over || this.#channel.signal.aborted) return undefined;
      if (error instanceof McpError || error instanceof QuestionTimeout) return failedAnswer(error);
      const reference = report(this.request.options, 'A question of a task', error);
      return failedAnswer(new McpError(ErrorCode.InternalError, OPAQUE, { reference }));
    }
  }
}
