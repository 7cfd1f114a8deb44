import { CallCancelled, ServerClosing, type Call } from '../call.js';
import { ErrorCode, HandlerRefusal, McpError, McpToolError } from '../errors.js';
import { decidesStatus, sentCode } from '../failures.js';
import { CallTimeout, OutputTooLarge, ServerBusy, ToolBusy } from '../limits.js';
import type { CallEnd } from '../observation.js';
import type { Reply } from '../reply.js';
import { McpInputRequired } from '../questions/round.js';
import { utf8Length } from '../results/utf8.js';
import type { MethodCall } from './method.js';

/** How a call ended, but for what its gates said. */
export type Ending = Omit<CallEnd, 'decision'>;

const NOTHING: Ending = Object.freeze({
  isError: false,
  error: undefined,
  code: undefined,
  threw: false,
  inputRequired: false,
  resultBytes: 0,
});

/** The result as handshake revisions print it. */
export function resultOf({ members, meta }: Reply): string {
  return meta === undefined ? `{${members}}` : `{${members},"_meta":{${meta}}}`;
}

/** The answer is this result; `cause` is the error it tells of. */
export function replied(reply: Reply, cause?: unknown): Ending {
  const isError = reply.isError === true;
  return {
    ...NOTHING,
    isError,
    error: isError ? (cause === undefined ? 'tool_error' : wordOf(cause)) : undefined,
    threw: cause !== undefined && !isForeseen(cause),
    resultBytes: utf8Length(resultOf(reply)),
  };
}

/** A gate gave the result; `fault` is what it threw. */
export function denied(reply: Reply, fault: unknown): Ending {
  const error = fault === undefined ? 'denied' : nameOf(fault);
  return { ...replied(reply), error: reply.isError === true ? error : undefined, threw: fault !== undefined };
}

/** The answer is this error, for which `cause` is the reason. */
export function answeredWith(error: unknown, cause: unknown, call: Call): Ending {
  if (error instanceof McpInputRequired) return { ...NOTHING, inputRequired: true };
  if (isCancelled(call)) return { ...NOTHING, isError: true, error: 'cancelled' };
  const reason = cause ?? error;
  return { ...NOTHING, isError: true, error: wordOf(reason), code: codeOf(error, call), threw: !isForeseen(reason) };
}

/** Nothing will come of the host's code any more: the client was asked, or ended it. */
export function suspended({ round }: MethodCall): Ending {
  return round?.asking === true
    ? { ...NOTHING, inputRequired: true }
    : { ...NOTHING, isError: true, error: 'cancelled' };
}

function isCancelled({ channel: { signal } }: Call): boolean {
  return signal.aborted && signal.reason instanceof CallCancelled;
}

function codeOf(error: unknown, call: Call): number {
  if (error instanceof McpError) return sentCode(error);
  if (!(error instanceof HandlerRefusal)) return ErrorCode.InternalError;
  return decidesStatus(error, call) ? ErrorCode.InvalidRequest : ErrorCode.InvalidParams;
}

/** An answer that the host chose, or a limit: not an accident. */
function isForeseen(error: unknown): boolean {
  if (error instanceof CallTimeout) return false;
  return error instanceof McpToolError || error instanceof McpError || error instanceof HandlerRefusal;
}

/** The kind of failure, in words that no caller chose. */
function wordOf(error: unknown): string {
  if (error instanceof ServerBusy || error instanceof ToolBusy) return 'busy';
  if (error instanceof CallTimeout) return 'timeout';
  if (error instanceof OutputTooLarge) return 'too_large';
  if (error instanceof ServerClosing) return 'closing';
  if (error instanceof HandlerRefusal) return `http_${error.status}`;
  if (error instanceof McpToolError) return 'tool_error';
  if (error instanceof McpError) return String(sentCode(error));
  return nameOf(error);
}

const CLASS_NAME = /^[A-Za-z_$][\w$]{0,79}$/;

/** The class of what was thrown: what its `name` says may have been written by anybody. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown_${typeof error}`;
  const { name } = error.constructor;
  return CLASS_NAME.test(name) ? name : 'Error';
}
