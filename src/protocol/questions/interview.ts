import { QuestionTimeout, type Call, type ClientCapabilities, type RequestMessage } from '../call.js';
import type {
  ElicitOptions,
  ElicitOutcome,
  ElicitUrlOptions,
  ElicitUrlOutcome,
  QuestionOptions,
  Root,
  SampleOptions,
  SampleResult,
} from '../context.js';
import { ErrorCode, McpError } from '../errors.js';
import {
  readFormAnswer,
  readRoots,
  readSample,
  readUrlAnswer,
  requireCapability,
  type Question,
  type Questions,
} from './questions.js';
import type { ServerOptions } from '../server-options.js';
import type { TimeLimit } from '../time-limit.js';

export interface InterviewParts {
  readonly message: RequestMessage;
  readonly call: Call;
  readonly options: ServerOptions;
  /** Undefined where the client cannot be asked. */
  readonly questions: Questions | undefined;
  readonly capabilities: ClientCapabilities;
  /** Whose clock stands still while the client is asked. */
  readonly timeLimit: () => TimeLimit | undefined;
}

/** What one call asks of its client: each question checked before it is asked, each answer before it is believed. */
export class Interview {
  readonly #counts = new Map<string, number>();

  constructor(private readonly parts: InterviewParts) {}

  async elicit<T>(options: ElicitOptions): Promise<ElicitOutcome<T>> {
    const { revision } = this.parts.call;
    if (revision.elicitation === 'none') throw this.#unavailable('forms');
    this.#requireQuestions();
    requireCapability(
      revision,
      this.parts.capabilities,
      ['elicitation', 'form'].slice(0, revision.richForms ? 2 : 1),
      'form elicitation',
    );
    const form = this.parts.options.compileForm(options.schema);
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

  async elicitUrl(options: ElicitUrlOptions): Promise<ElicitUrlOutcome> {
    const { revision } = this.parts.call;
    if (revision.elicitation !== 'form-url') throw this.#unavailable('URL elicitation');
    if (!URL.canParse(options.url)) throw new TypeError('elicitUrl: url must be an absolute URL');
    this.#requireQuestions();
    requireCapability(revision, this.parts.capabilities, ['elicitation', 'url'], 'URL elicitation');
    const question = this.#question('elicit', 'elicitation/create', options, {
      mode: 'url',
      message: options.message,
      url: options.url,
      ...(revision.elicitationId ? { elicitationId: options.elicitationId ?? this.parts.options.newId() } : {}),
    });
    const result = await this.#ask(question);
    return result === undefined ? { action: 'timeout' } : readUrlAnswer(question.key, result.value);
  }

  async sample(options: SampleOptions): Promise<SampleResult> {
    const { revision } = this.parts.call;
    const { key: _key, timeoutMs: _timeoutMs, ...params } = options;
    this.#requireQuestions();
    requireCapability(revision, this.parts.capabilities, ['sampling'], 'sampling');
    if (params['tools'] !== undefined || params['toolChoice'] !== undefined) {
      if (!revision.samplingTools) throw this.#unavailable('sampling with tools');
      requireCapability(revision, this.parts.capabilities, ['sampling', 'tools'], 'sampling with tools');
    }
    const question = this.#question('sample', 'sampling/createMessage', options, params);
    const result = await this.#ask(question);
    if (result === undefined) throw new McpError(ErrorCode.InternalError, 'The client did not answer in time');
    return readSample(question.key, result.value);
  }

  async roots(options: QuestionOptions): Promise<readonly Root[]> {
    this.#requireQuestions();
    requireCapability(this.parts.call.revision, this.parts.capabilities, ['roots'], 'roots');
    const question = this.#question('roots', 'roots/list', options);
    const result = await this.#ask(question);
    if (result === undefined) throw new McpError(ErrorCode.InternalError, 'The client did not answer in time');
    return readRoots(question.key, result.value);
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
      timeoutMs: options.timeoutMs ?? this.parts.options.questionTimeoutMs,
      ...(params === undefined ? {} : { params }),
    };
  }

  /** Undefined: no answer in time. */
  async #ask(question: Question): Promise<{ readonly value: unknown } | undefined> {
    const timeLimit = this.parts.timeLimit();
    timeLimit?.hold();
    try {
      return { value: await this.#requireQuestions().ask(question) };
    } catch (error) {
      if (error instanceof QuestionTimeout) return undefined;
      throw error;
    } finally {
      timeLimit?.release();
    }
  }

  #requireQuestions(): Questions {
    if (this.parts.questions !== undefined) return this.parts.questions;
    throw new McpError(
      ErrorCode.InternalError,
      this.parts.call.revision.era === 'legacy'
        ? 'The client cannot be asked: questions need a session and an event stream'
        : `The client cannot be asked during ${this.parts.message.method}`,
    );
  }

  #unavailable(what: string): McpError {
    return new McpError(ErrorCode.InternalError, `Protocol revision ${this.parts.call.revision.name} has no ${what}`);
  }
}
