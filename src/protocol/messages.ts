import type { Message, RequestId } from './call.js';
import { ErrorCode } from './errors.js';
import { isObject } from './json/json.js';

/** A value that is no message, and the JSON-RPC error that says so. */
export interface MessageFailure {
  readonly kind: 'failure';
  readonly code: typeof ErrorCode.InvalidRequest | typeof ErrorCode.InvalidParams;
  readonly message: string;
  /** The id to answer with; absent when there is no valid one (BASE-04, BASE-24). */
  readonly id?: RequestId;
  /**
   * It was meant as a notification or as a response. Where answers are not tied to an HTTP exchange nothing is
   * answered (BASE-11): two peers would go on refusing each other's refusals.
   */
  readonly silent: boolean;
}

const NO_PARAMS: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * Says which message a JSON value is (JSON-RPC 2.0 section 4, BASE-01 … BASE-09). Batches are split by the caller: an
 * array is a failure here. `inexactIds` comes from the reader and holds messages whose numeric id cannot be echoed.
 */
export function classify(value: unknown, inexactIds?: ReadonlySet<unknown>): Message | MessageFailure {
  if (!isObject(value)) return failure(`Expected a JSON object, got ${kindOf(value)}`);
  const { jsonrpc, method } = value;
  const id = inexactIds?.has(value) === true ? undefined : validId(value.id);
  if (method === undefined && (value.result !== undefined || value.error !== undefined)) return response(value, id);
  const silent = value.id === undefined && typeof method === 'string';
  if (jsonrpc !== '2.0') return failure('jsonrpc must be "2.0"', id, silent);
  if (typeof method !== 'string') return failure('method must be a string', id);
  if (silent) return notification(method, value.params);
  if (id === undefined) return failure('id must be a string or an integer');
  if (value._meta !== undefined) return badParams('_meta belongs in params._meta', id);
  if (value.params === undefined) return { kind: 'request', id, method, params: NO_PARAMS };
  if (!isObject(value.params)) return badParams('params must be an object', id);
  return { kind: 'request', id, method, params: value.params };
}

/** A top-level `_meta` of a notification has no meaning and is left behind. */
function notification(method: string, params: unknown = NO_PARAMS): Message | MessageFailure {
  if (isObject(params)) return { kind: 'notification', method, params };
  return { kind: 'failure', code: ErrorCode.InvalidParams, message: 'params must be an object', silent: true };
}

/** A broken response is never answered under its id: that id is one of ours. */
function response(value: Record<string, unknown>, id: RequestId | undefined): Message | MessageFailure {
  const { result, error } = value;
  if (value.jsonrpc !== '2.0') return failure('jsonrpc must be "2.0"', undefined, true);
  if (id === undefined) return failure('id must be a string or an integer', undefined, true);
  if (error === undefined) return { kind: 'response', id, result };
  if (result !== undefined) return failure('A response has either a result or an error', undefined, true);
  if (!isObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') {
    return failure('error must have an integer code and a string message', undefined, true);
  }
  const { code, message, data } = error as { code: number; message: string; data?: unknown };
  return { kind: 'response', id, error: data === undefined ? { code, message } : { code, message, data } };
}

function validId(id: unknown): RequestId | undefined {
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
}

function failure(message: string, id?: RequestId, silent = false): MessageFailure {
  const code = ErrorCode.InvalidRequest;
  return id === undefined ? { kind: 'failure', code, message, silent } : { kind: 'failure', code, message, id, silent };
}

function badParams(message: string, id: RequestId): MessageFailure {
  return { kind: 'failure', code: ErrorCode.InvalidParams, message, id, silent: false };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (value === null) return 'null';
  return `a ${typeof value}`;
}
