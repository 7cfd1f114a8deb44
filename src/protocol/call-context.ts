import {
  LOG_LEVELS,
  QuestionTimeout,
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
import { encode } from './encoder.js';
import { META } from './envelope.js';
import { ErrorCode, McpError, ProtocolError } from './errors.js';
import { isObject } from './json.js';
import {
  readFormAnswer,
  readRoots,
  readSample,
  readUrlAnswer,
  requireCapability,
  type Question,
  type Questions,
} from './questions.js';
import type { RevisionName } from './revisions.js';
import type { ServerOptions } from './server-options.js';

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

/** `none`: no gate was asked; `confirm`: consent was needed and nobody could be asked. */
export type CallDecision = 'none' | 'allow' | 'deny' | 'confirm' | 'decline' | 'cancel' | 'timeout';

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
  readonly #logLevel: LogLevel | undefined;
  readonly #counts = new Map<string, number>();
  #progress = Number.NEGATIVE_INFINITY;
  #over = false;

  constructor(
    private readonly message: RequestMessage,
    private readonly call: Call,
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
    return this.call.channel.signal;
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
    return this.call.conversation?.id;
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
    return unattended(this.#elicit<T>(options));
  }

  elicitUrl(options: ElicitUrlOptions): Promise<ElicitUrlOutcome> {
    return unattended(this.#elicitUrl(options));
  }

  sample(options: SampleOptions): Promise<SampleResult> {
    return unattended(this.#sample(options));
  }

  roots(options: QuestionOptions = {}): Promise<readonly Root[]> {
    return unattended(this.#roots(options));
  }

  async #elicit<T>(options: ElicitOptions): Promise<ElicitOutcome<T>> {
    const { revision } = this.call;
    if (revision.elicitation === 'none') throw this.#unavailable('forms');
    this.#requireQuestions();
    requireCapability(
      revision,
      this.clientCapabilities,
      ['elicitation', 'form'].slice(0, revision.richForms ? 2 : 1),
      'form elicitation',
    );
    const form = this.options.compileForm(options.schema);
    const question = this.#question('elicit', 'elicitation/create', options, {
      ...(revision.richForms ? { mode: 'form' } : {}),
      message: options.message,
      requestedSchema: revision.richForms ? form.wire : form.plainWire,
    });
    const result = await this.#ask(question);
    if (result === undefined) return { action: 'timeout' };
    const answer = await readFormAnswer(question.key, result.value, form);
    // The form has just been held against the schema from which the author derives T.
    return answer as ElicitOutcome<T>;
  }

  async #elicitUrl(options: ElicitUrlOptions): Promise<ElicitUrlOutcome> {
    const { revision } = this.call;
    if (revision.elicitation !== 'form-url') throw this.#unavailable('URL elicitation');
    if (!URL.canParse(options.url)) throw new TypeError('elicitUrl: url must be an absolute URL');
    this.#requireQuestions();
    requireCapability(revision, this.clientCapabilities, ['elicitation', 'url'], 'URL elicitation');
    const question = this.#question('elicit', 'elicitation/create', options, {
      mode: 'url',
      message: options.message,
      url: options.url,
      ...(revision.elicitationId ? { elicitationId: options.elicitationId ?? this.options.newId() } : {}),
    });
    const result = await this.#ask(question);
    return result === undefined ? { action: 'timeout' } : readUrlAnswer(question.key, result.value);
  }

  async #sample(options: SampleOptions): Promise<SampleResult> {
    const { revision } = this.call;
    const { key: _key, timeoutMs: _timeoutMs, ...params } = options;
    this.#requireQuestions();
    requireCapability(revision, this.clientCapabilities, ['sampling'], 'sampling');
    if (params['tools'] !== undefined || params['toolChoice'] !== undefined) {
      if (!revision.samplingTools) throw this.#unavailable('sampling with tools');
      requireCapability(revision, this.clientCapabilities, ['sampling', 'tools'], 'sampling with tools');
    }
    const question = this.#question('sample', 'sampling/createMessage', options, params);
    const result = await this.#ask(question);
    if (result === undefined) throw new McpError(ErrorCode.InternalError, 'The client did not answer in time');
    return readSample(question.key, result.value);
  }

  async #roots(options: QuestionOptions): Promise<readonly Root[]> {
    this.#requireQuestions();
    requireCapability(this.call.revision, this.clientCapabilities, ['roots'], 'roots');
    const question = this.#question('roots', 'roots/list', options);
    const result = await this.#ask(question);
    if (result === undefined) throw new McpError(ErrorCode.InternalError, 'The client did not answer in time');
    return readRoots(question.key, result.value);
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

  #question(
    kind: string,
    method: Question['method'],
    options: QuestionOptions,
    params?: Record<string, unknown>,
  ): Question {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return {
      key: options.key ?? `${kind}-${count}`,
      method,
      timeoutMs: options.timeoutMs ?? this.options.questionTimeoutMs,
      ...(params === undefined ? {} : { params }),
    };
  }

  /** Undefined: no answer in time. */
  async #ask(question: Question): Promise<{ readonly value: unknown } | undefined> {
    try {
      return { value: await this.#requireQuestions().ask(question) };
    } catch (error) {
      if (error instanceof QuestionTimeout) return undefined;
      throw error;
    }
  }

  #requireQuestions(): Questions {
    if (this.questions !== undefined) return this.questions;
    throw new McpError(
      ErrorCode.InternalError,
      this.call.revision.era === 'legacy'
        ? 'The client cannot be asked: questions need a session and an event stream'
        : `The client cannot be asked during ${this.message.method}`,
    );
  }

  #unavailable(what: string): McpError {
    return new McpError(ErrorCode.InternalError, `Protocol revision ${this.call.revision.name} has no ${what}`);
  }
}
