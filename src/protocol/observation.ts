import type { Call } from './call.js';
import type { CallDecision } from './call-context.js';
import type { McpContext } from './context.js';

/** What a call is about, as the catalog knows it: never in the caller's words. */
export interface CallSubject {
  readonly kind: 'tool' | 'resource' | 'template' | 'prompt' | 'completion';
  readonly name: string;
  /** `Class.method`. */
  readonly source: string;
}

/** A call whose entry was found and whose arguments were accepted. */
export interface CallStart {
  readonly subject: CallSubject;
  readonly context: McpContext;
  readonly transport: Call['transport'];
}

/** How it ended; no word of a caller or a handler is in it. */
export interface CallEnd {
  /** The answer says that the call failed: an `isError` result, or an error. */
  readonly isError: boolean;
  /**
   * The kind of failure: `tool_error` for one the model is told of, `denied`, `timeout`, `busy`, `too_large`,
   * `cancelled`, `closing`, `http_403` for an HTTP exception, a JSON-RPC code, else the class of what was thrown.
   */
  readonly error: string | undefined;
  /** Of the JSON-RPC error that is the answer. */
  readonly code: number | undefined;
  /** It was ended by an exception that was not meant for the model. */
  readonly threw: boolean;
  /** It ended by asking the client, who repeats it with the answers (2026-07-28). */
  readonly inputRequired: boolean;
  /** UTF-8 bytes of the result before the envelope of 2026-07-28; 0 for an error. */
  readonly resultBytes: number;
  readonly decision: CallDecision;
}

/** Follows one call. */
export interface Observation {
  /** Runs what the host does for the call, so that what is observed in there belongs to it. */
  run<T>(work: () => T): T;
  /** Called once. Never throws. */
  end(end: CallEnd): void;
}

/** Begins to follow a call; undefined when nobody wants to know. Never throws. */
export type Observe = (start: CallStart) => Observation | undefined;
