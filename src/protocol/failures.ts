import { CallCancelled, ServerClosing, type Call, type Outcome, type RequestMessage } from './call.js';
import { encodeError } from './results/encoder.js';
import { ErrorCode, HandlerRefusal, McpError, ProtocolError } from './errors.js';
import { ServerBusy } from './limits.js';
import type { McpLogger } from './logger.js';

/** What a caller reads of a failure that is none of its business. */
export const OPAQUE = 'Internal error';

/** The code with which an error is answered. */
export function sentCode(error: McpError): number {
  const { code } = error;
  if (error instanceof ProtocolError) return code;
  return !Number.isSafeInteger(code) || isReserved(code) ? ErrorCode.InternalError : code;
}

/** Codes that only the specification may give meaning to (ERR-01 to ERR-04). */
function isReserved(code: number): boolean {
  return (
    (code <= -32020 && code >= -32099) ||
    code === ErrorCode.ResourceNotFound ||
    code === ErrorCode.UrlElicitationRequired
  );
}

/**
 * What a client answered a question with, as an error. Codes of the specification are not a client's to send either: a
 * handler that lets one pass would be at fault, and the client's words would be in the log.
 */
export function answeredError(answer: {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}): McpError {
  const error = new McpError(answer.code, answer.message, answer.data);
  const code = sentCode(error);
  return code === answer.code ? error : new McpError(code, answer.message, answer.data);
}

export interface FailurePorts {
  readonly logger: McpLogger;
  readonly newId: () => string;
}

/** Logs a fault in full and answers with the reference that the caller may quote. */
export function report(ports: FailurePorts, where: string, error: unknown): string {
  const reference = ports.newId();
  ports.logger.error(`${where} failed (reference ${reference})`, error);
  return reference;
}

/** True when a refusal is about authorization and may still choose the HTTP status of the answer (AUTH-14). */
export function decidesStatus(error: HandlerRefusal, call: Call): boolean {
  return error.origin === 'authorization' && call.transport === 'http' && call.channel.committed !== true;
}

/** An error that decides the whole answer, or undefined when the method may turn it into a result. */
export function decisive(
  error: unknown,
  message: RequestMessage,
  call: Call,
  ports: FailurePorts,
): Outcome | undefined {
  if (error instanceof ProtocolError) {
    return {
      status: error.status,
      body: encodeError(message.id, error.code, error.message, error.data),
      ...(error instanceof ServerBusy ? { retryAfterS: error.retryAfterS } : {}),
    };
  }
  if (error instanceof McpError) {
    if (!Number.isSafeInteger(error.code) || isReserved(error.code)) {
      const reference = report(ports, `${message.method}: an McpError with a code of the specification`, error);
      return internal(message, reference);
    }
    return { status: 200, body: encodeError(message.id, error.code, error.message, error.data) };
  }
  if (error instanceof HandlerRefusal && decidesStatus(error, call)) {
    return {
      status: error.status,
      body: encodeError(message.id, ErrorCode.InvalidRequest, refusalText(error)),
      ...challengeOf(error),
    };
  }
  const { signal } = call.channel;
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (reason instanceof CallCancelled) return { status: 200, body: '', silent: true };
  // A handler that gives up with its signal is not at fault.
  if (reason instanceof ServerClosing) {
    return { status: 503, body: encodeError(message.id, ErrorCode.InternalError, reason.message) };
  }
  return undefined;
}

/** The answer to a request that failed, whatever was thrown. */
export function failure(error: unknown, message: RequestMessage, call: Call, ports: FailurePorts): Outcome {
  const outcome = decisive(error, message, call, ports);
  if (outcome !== undefined) return outcome;
  if (!(error instanceof HandlerRefusal)) return internal(message, report(ports, message.method, error));
  const { name, uri } = message.params;
  return {
    status: 200,
    body: encodeError(message.id, ErrorCode.InvalidParams, 'The request was refused', {
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof uri === 'string' ? { uri } : {}),
      reason: refusalText(error),
    }),
  };
}

function isAuthorization(status: number): boolean {
  return status === 401 || status === 403;
}

/** A 401 always challenges; a 403 does when the host says how to step up (AUTH-06, AUTH-10). */
function challengeOf({ status, challenge }: HandlerRefusal): { challenge?: string } {
  const value = challenge ?? (status === 401 ? 'Bearer' : undefined);
  return value === undefined ? {} : { challenge: value };
}

/** Who may call is told without detail; other refusals (429, 422 …) are told in the host's words. */
export function refusalText({ origin, status, message }: HandlerRefusal): string {
  if (origin === 'method' || !isAuthorization(status)) return message;
  return status === 401 ? 'Unauthorized' : 'Forbidden';
}

export function internal(message: RequestMessage, reference: string): Outcome {
  return { status: 200, body: encodeError(message.id, ErrorCode.InternalError, OPAQUE, { reference }) };
}
