import { ErrorCode, ProtocolError } from '../errors.js';
import { isObject, type JsonObject, type JsonValue } from '../json/json.js';
import type { Question, Questions } from './questions.js';
import type { OpenedState, StateBinding } from './state.js';

/**
 * Rejects a question whose answer can only come with a replay of the call (2026-07-28). It unwinds the handler; whatever
 * the handler then returns is not sent. Rethrow it when catching errors around a question.
 */
export class McpInputRequired extends Error {
  override readonly name = 'McpInputRequired';

  constructor() {
    super('The call is replayed once the client has answered');
  }
}

/** The handler waits for answers that only the client has. */
export const SUSPENDED = Symbol('suspended');

/** One answer for a state that is forged, expired, spent, another caller's or another call's (MRTR-08, MRTR-11). */
export function invalidState(): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, 'Invalid requestState');
}

type Responses = Readonly<Record<string, unknown>>;

/** The `inputResponses` of a request, checked (MRTR-15). */
export function readInputResponses(params: Responses): Responses | undefined {
  if (!Object.hasOwn(params, 'inputResponses')) return undefined;
  const responses = params['inputResponses'];
  if (!isObject(responses)) throw new ProtocolError(ErrorCode.InvalidParams, 'inputResponses must be an object');
  return responses;
}

/** What one pass begins with. */
export interface Opening {
  /** The answers that came with the request. */
  readonly responses: Responses | undefined;
  /** The state that came with the request, verified. */
  readonly opened: OpenedState | undefined;
  /**
   * What the state of the next pass is bound to: the call as it arrived, whatever its handler makes of the arguments.
   * Undefined where the client can be asked nothing.
   */
  readonly binding: StateBinding | undefined;
}

function member(object: unknown, key: string): Record<string, unknown> {
  const value = isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
  return isObject(value) ? value : {};
}

/** Built with defineProperty: a key may be `__proto__`. */
function fromEntries<V>(entries: Iterable<readonly [string, V]>): Record<string, V> {
  const object: Record<string, V> = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/**
 * One pass of a modern call: answers that came with it are given back, questions without an answer end it. All
 * questions asked in the same turn travel together. Nothing is kept between passes but what the sealed state carries:
 * the answers of earlier passes and the values of `context.step`.
 */
export class Round implements Questions {
  readonly opened: OpenedState | undefined;
  readonly binding: StateBinding | undefined;
  readonly #responses: Responses | undefined;
  #steps: Map<string, unknown> | undefined;
  #used: Map<string, unknown> | undefined;
  #consents: Map<string, 'asked' | 'granted'> | undefined;
  #pending: Map<string, Question> | undefined;
  #waiting: ((error: Error) => void)[] | undefined;
  #suspend: ((outcome: typeof SUSPENDED) => void) | undefined;
  #over = false;

  constructor(
    { responses, opened, binding }: Opening,
    private readonly defer: (run: () => void) => void,
  ) {
    this.#responses = responses;
    this.opened = opened;
    this.binding = binding;
  }

  get steps(): Map<string, unknown> {
    return (this.#steps ??= new Map(Object.entries(member(this.opened?.payload, 'steps'))));
  }

  /** Runs the pass: settles as `run` does, or with `SUSPENDED` as soon as it cannot go on without the client. */
  run<T>(run: () => T | Promise<T>): Promise<T | typeof SUSPENDED> {
    return new Promise((resolve, reject) => {
      this.#suspend = resolve;
      try {
        const result = run();
        if (result instanceof Promise) result.then(resolve, reject);
        else resolve(result);
      } catch (error) {
        reject(error as Error);
      }
    });
  }

  ask(question: Question): Promise<unknown> {
    const answer = this.answerTo(question.key);
    return answer === undefined ? this.#pend(question) : Promise.resolve(answer.value);
  }

  /** The answer that came with the request, or with an earlier pass. */
  answerTo(key: string): { readonly value: unknown } | undefined {
    for (const source of [this.#responses, member(this.opened?.payload, 'answers')]) {
      if (source === undefined || !Object.hasOwn(source, key)) continue;
      (this.#used ??= new Map()).set(key, source[key]);
      return { value: source[key] };
    }
    return undefined;
  }

  /** Questions without an answer were asked: this pass ends with them. */
  get asking(): boolean {
    return this.#pending !== undefined;
  }

  /**
   * Asks for consent: only an answer that comes with a state saying that this caller was asked for this very call
   * counts, and it counts once (MRTR-10).
   */
  async consent(question: Question): Promise<unknown> {
    const { key } = question;
    const known = member(this.opened?.payload, 'consents')[key];
    const answer =
      this.#responses !== undefined && Object.hasOwn(this.#responses, key) ? this.#responses[key] : undefined;
    const granted = known === 'granted' || (known === 'asked' && isObject(answer) && answer['action'] === 'accept');
    this.#consents ??= new Map();
    if (granted) {
      if ((await this.opened?.spend()) !== true) throw invalidState();
      this.#consents.set(key, 'granted');
      return { action: 'accept' };
    }
    if (known === 'asked' && answer !== undefined) return answer;
    this.#consents.set(key, 'asked');
    return this.#pend(question);
  }

  #pend(question: Question): Promise<unknown> {
    const { key } = question;
    if (this.#over) return Promise.reject(new McpInputRequired());
    if (this.#pending === undefined) {
      this.#pending = new Map();
      this.#waiting = [];
      this.defer(() => this.#close());
    }
    this.#pending.set(key, question);
    return new Promise((_resolve, reject) => this.#waiting?.push(reject));
  }

  /** The `inputRequests` of the result (MRTR-04). */
  get requests(): Record<string, { method: string; params?: unknown }> {
    return fromEntries(
      [...(this.#pending ?? [])].map(([key, { method, params }]) => [
        key,
        params === undefined ? { method } : { method, params },
      ]),
    );
  }

  /** What the next pass needs to know. Answers came as JSON, and values of steps were made JSON. */
  get state(): JsonObject {
    return {
      answers: fromEntries(this.#used ?? []) as Record<string, JsonValue>,
      ...(this.#consents === undefined ? {} : { consents: fromEntries(this.#consents) }),
      steps: fromEntries(this.#steps ?? Object.entries(member(this.opened?.payload, 'steps'))) as Record<
        string,
        JsonValue
      >,
    };
  }

  #close(): void {
    this.#over = true;
    this.#suspend?.(SUSPENDED);
    for (const reject of this.#waiting ?? []) reject(new McpInputRequired());
  }
}
