import type { Question, Questions } from '../questions/questions.js';
import type { Round } from '../questions/round.js';
import { readTaskAnswer } from './task-answers.js';
import type { TaskQuestion } from './tasks.js';

interface Waiting {
  readonly question: Question;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Makes questions outstanding; answers arrive by `settle`. Rejects when the task takes no questions any more. */
export type SendQuestions = (questions: Readonly<Record<string, TaskQuestion>>) => Promise<void>;

/**
 * Questions of a tool call that may become a task. Before it is one they travel with the call itself (MRTR-23); while
 * its record is being made they are held; afterwards they are the task's.
 */
export class TaskQuestions implements Questions {
  readonly steps: Map<string, unknown>;
  readonly #waiting = new Map<string, Waiting>();
  /** Keys are unique over the life of the task (XTASK-12). */
  readonly #keys = new Set<string>();
  #held: boolean;
  #send: SendQuestions | undefined;
  #batch: string[] | undefined;
  #ended: Error | undefined;

  constructor(
    /** How the call itself can ask (2026-07-28); without it questions are held until there is a task. */
    private readonly round: Round | undefined,
    private readonly defer: (run: () => void) => void,
  ) {
    this.#held = round === undefined;
    this.steps = round?.steps ?? new Map<string, unknown>();
  }

  ask(question: Question): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.round !== undefined) {
      if (!this.#held && this.#send === undefined) {
        this.#keys.add(question.key);
        return this.round.ask(question);
      }
      // The same call may have asked this in its first turn when it was sent the last time.
      const earlier = this.round.answerTo(question.key);
      if (earlier !== undefined) return Promise.resolve(earlier.value);
    }
    return new Promise((resolve, reject) => {
      const key = this.#unused(question.key);
      this.#keys.add(key);
      this.#waiting.set(key, { question, resolve, reject });
      if (this.#send !== undefined) this.#enqueue(key);
    });
  }

  /** The record of the task is being made. */
  hold(): void {
    this.#held = true;
  }

  /** There is no task after all: the call goes on as an ordinary one. */
  release(): void {
    this.#held = false;
    const held = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { question, resolve, reject } of held) this.ask(question).then(resolve, reject);
  }

  /** There is a task now. */
  adopt(send: SendQuestions): void {
    this.#send = send;
    for (const key of this.#waiting.keys()) this.#enqueue(key);
  }

  /** How long the author waits for this answer; undefined when nobody here does. */
  timeoutOf(key: string): number | undefined {
    return this.#waiting.get(key)?.question.timeoutMs;
  }

  /** Takes what a record holds. Keys nobody waits for are ignored. */
  settle(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, waiting] of [...this.#waiting]) {
      if (!Object.hasOwn(answers, key)) continue;
      this.#waiting.delete(key);
      const answer = readTaskAnswer(answers[key]);
      if (answer instanceof Error) waiting.reject(answer);
      else waiting.resolve(answer.value);
    }
  }

  /** The task is over: whoever waits gets `reason`, whoever asks later too. */
  end(reason: Error): void {
    this.#ended = reason;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }

  #unused(wanted: string): string {
    let key = wanted;
    for (let turn = 2; this.#keys.has(key); turn += 1) key = `${wanted}~${turn}`;
    return key;
  }

  /** Questions asked in the same turn become outstanding together. */
  #enqueue(key: string): void {
    if (this.#batch !== undefined) {
      this.#batch.push(key);
      return;
    }
    this.#batch = [key];
    this.defer(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    const keys = this.#batch ?? [];
    this.#batch = undefined;
    const open: [string, TaskQuestion][] = [];
    for (const key of keys) {
      const waiting = this.#waiting.get(key);
      if (waiting === undefined) continue;
      const { method, params } = waiting.question;
      open.push([key, params === undefined ? { method } : { method, params }]);
    }
    if (open.length === 0 || this.#send === undefined) return;
    try {
      await this.#send(Object.fromEntries(open));
    } catch (error) {
      for (const [key] of open) {
        this.#waiting.get(key)?.reject(error);
        this.#waiting.delete(key);
      }
    }
  }
}
