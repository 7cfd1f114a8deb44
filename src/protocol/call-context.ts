import {
  LOG_LEVELS,
  type Call,
  type ClientCapabilities,
  type Implementation,
  type LogLevel,
  type RequestMessage,
} from './call.js';
import {
  McpContext,
  RESPONSE,
  type ElicitOptions,
  type ElicitOutcome,
  type ElicitUrlOptions,
  type ElicitUrlOutcome,
  type QuestionOptions,
  type Root,
  type SampleOptions,
  type SampleResult,
} from './context.js';
import { encode } from './results/encoder.js';
import { Interview } from './questions/interview.js';
import { META } from './envelope.js';
import { ErrorCode, ProtocolError } from './errors.js';
import { isObject } from './json/json.js';
import type { Questions } from './questions/questions.js';
import type { RevisionName } from './revisions.js';
import type { ServerOptions } from './server-options.js';
import type { TimeLimit } from './time-limit.js';

/** What handshake clients get before they choose a level (LOG-04). */
const DEFAULT_LOG_LEVEL: LogLevel = 'info';
const NOTHING: Readonly<Record<string, never>> = Object.freeze({});

function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.includes(value as LogLevel);
}

/** The level this modern request asks for; an unknown one is refused (LOG-05, LOG-08). */
function requestedLogLevel(meta: Readonly<Record<string, unknown>>): LogLevel | undefined {
  const level = meta[META.logLevel];
  if (level === undefined) return undefined;
  if (isLogLevel(level)) return level;
  throw new ProtocolError(
    ErrorCode.InvalidParams,
    `_meta field ${META.logLevel} must be one of ${LOG_LEVELS.join(', ')}`,
  );
}

/**
 * What the gates made of a call. `none`: no gate was asked. `confirm`: consent is needed, and the client is being asked
 * or cannot be. `accept`, `decline`, `cancel`, `timeout`: what became of the question.
 */
export type CallDecision = 'none' | 'allow' | 'deny' | 'confirm' | 'accept' | 'decline' | 'cancel' | 'timeout';

/**
 * A question whose call ends is rejected. Where its author was not waiting for it yet that must not be an unhandled
 * rejection, which ends the process.
 */
function unattended<T>(question: Promise<T>): Promise<T> {
  question.catch(() => undefined);
  return question;
}

/** The context of one call, in every revision. */
export class CallContext extends McpContext {
  readonly requestMeta: Readonly<Record<string, unknown>>;
  /** What the gates said of this call, for observers. */
  decision: CallDecision = 'none';
  /** What a gate threw. */
  gateFault: unknown;
  /** Called when the answer is out, whatever the host's code still does. */
  onClose: (() => void) | undefined;
  /** Set while the host's code runs, where its time is limited. */
  timeLimit: TimeLimit | undefined;
  readonly #logLevel: LogLevel | undefined;
  #asking: Interview | undefined;
  #progress = Number.NEGATIVE_INFINITY;
  #over = false;

  constructor(
    private readonly message: RequestMessage,
    readonly call: Call,
    private readonly options: ServerOptions,
    private readonly questions?: Questions,
  ) {
    super();
    const meta = message.params['_meta'];
    this.requestMeta = isObject(meta) ? meta : NOTHING;
    this.#logLevel = call.revision.era === 'modern' ? requestedLogLevel(this.requestMeta) : undefined;
  }

  get requestId(): string | number {
    return this.message.id;
  }
  get method(): string {
    return this.message.method;
  }
  get signal(): AbortSignal {
    return this.timeLimit?.signal ?? this.call.channel.signal;
  }
  get identity(): unknown {
    return this.call.identity;
  }
  get identityKey(): string | undefined {
    return this.call.identityKey;
  }
  get request(): unknown {
    return this.call.request;
  }
  get [RESPONSE](): unknown {
    return this.call.response;
  }
  get sessionId(): string | undefined {
    return this.call.conversation?.id ?? this.call.sessionId;
  }
  get revision(): RevisionName {
    return this.call.revision.name;
  }

  get clientInfo(): Implementation | undefined {
    if (this.call.revision.era === 'legacy') return this.call.conversation?.clientInfo;
    const info = this.requestMeta[META.clientInfo];
    return isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string'
      ? { ...info, name: info['name'], version: info['version'] }
      : undefined;
  }

  get clientCapabilities(): ClientCapabilities {
    if (this.call.revision.era === 'legacy') return this.call.conversation?.clientCapabilities ?? NOTHING;
    const capabilities = this.requestMeta[META.clientCapabilities];
    return isObject(capabilities) ? capabilities : NOTHING;
  }

  /** After the result nothing more is said for this call (PROG-05, LOG-06). */
  close(): void {
    this.#over = true;
    this.onClose?.();
  }

  progress(done: number, total?: number, message?: string): void {
    const token = this.requestMeta['progressToken'];
    if (this.#over || (typeof token !== 'string' && typeof token !== 'number')) return;
    // A value that does not rise must not be sent (PROG-03); a handler that reports it twice is not at fault.
    if (!Number.isFinite(done) || done <= this.#progress) return;
    this.#progress = done;
    this.call.channel.notify?.('notifications/progress', {
      progressToken: token,
      progress: done,
      ...(total !== undefined && Number.isFinite(total) ? { total } : {}),
      ...(message !== undefined ? { message } : {}),
    });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    if (!isLogLevel(level)) throw new TypeError(`log level must be one of ${LOG_LEVELS.join(', ')}`);
    const threshold = this.#threshold();
    if (this.#over || threshold === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold)) return;
    this.call.channel.notify?.('notifications/message', {
      level,
      ...(logger !== undefined ? { logger } : {}),
      data: JSON.parse(encode(data ?? null)) as unknown,
    });
  }

  #threshold(): LogLevel | undefined {
    if (this.call.revision.era === 'modern') return this.#logLevel;
    const { conversation } = this.call;
    return conversation === undefined ? undefined : (conversation.logLevel ?? DEFAULT_LOG_LEVEL);
  }

  elicit<T = Record<string, unknown>>(options: ElicitOptions): Promise<ElicitOutcome<T>> {
    return unattended(this.#interview.elicit<T>(options));
  }

  elicitUrl(options: ElicitUrlOptions): Promise<ElicitUrlOutcome> {
    return unattended(this.#interview.elicitUrl(options));
  }

  sample(options: SampleOptions): Promise<SampleResult> {
    return unattended(this.#interview.sample(options));
  }

  roots(options: QuestionOptions = {}): Promise<readonly Root[]> {
    return unattended(this.#interview.roots(options));
  }

  get #interview(): Interview {
    const { message, call, options, questions } = this;
    return (this.#asking ??= new Interview({
      message,
      call,
      options,
      questions,
      capabilities: this.clientCapabilities,
      timeLimit: () => this.timeLimit,
    }));
  }

  async step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    const steps = this.questions?.steps;
    // The value was made by the same step of an earlier pass, so it has the type that `run` gives.
    if (steps?.has(name) === true) return steps.get(name) as T;
    const value = await run();
    const text = encode(value ?? null);
    // What a replay gets must be what the first pass got: the JSON form of it.
    const kept = JSON.parse(text) as T;
    steps?.set(name, kept);
    return kept;
  }

  releaseStream({ retryMs }: { readonly retryMs: number }): void {
    if (!Number.isSafeInteger(retryMs) || retryMs < 0) throw new RangeError('retryMs must be a whole number of ms');
    if (this.call.revision.primingEvents) this.call.channel.release?.(retryMs);
  }
}
