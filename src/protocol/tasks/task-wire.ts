import type { ClientCapabilities } from '../call.js';
import { encode } from '../results/encoder.js';
import { META } from '../envelope.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import { isObject } from '../json/json.js';
import type { Reply } from '../reply.js';
import { findRevision, type Revision } from '../revisions.js';
import type { TaskQuestion, TaskRecord, TaskStatus } from './tasks.js';

const FINAL: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled']);

export function isFinalTask({ status }: TaskRecord): boolean {
  return FINAL.has(status);
}

/** Says that a message belongs to a task (LTASK-12). */
export function related(params: object | undefined, taskId: string): object {
  const meta: unknown = params !== undefined && '_meta' in params ? params._meta : undefined;
  return { ...params, _meta: { ...(isObject(meta) ? meta : {}), [META.relatedTask]: { taskId } } };
}

function common(record: TaskRecord, status: TaskStatus, statusMessage?: string): Record<string, unknown> {
  return {
    taskId: record.id,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: new Date(record.createdAt).toISOString(),
    lastUpdatedAt: new Date(record.updatedAt).toISOString(),
  };
}

/** A task as 2025-11-25 knows it: a tool that reported an error failed (LTASK-07, LTASK-18). */
export function coreTask(record: TaskRecord): Record<string, unknown> {
  const { status, statusMessage, isError, ttlMs, pollIntervalMs } = record;
  const task =
    status === 'completed' && isError === true
      ? common(record, 'failed', statusMessage ?? 'The tool reported an error')
      : common(record, status, statusMessage);
  return { ...task, ttl: ttlMs, ...(pollIntervalMs === undefined ? {} : { pollInterval: pollIntervalMs }) };
}

/** A task as the extension knows it; failed is only what ended in a JSON-RPC error (XTASK-06, XTASK-10). */
function flatTask(record: TaskRecord): Record<string, unknown> {
  const { status, statusMessage, ttlMs, pollIntervalMs } = record;
  return {
    ...common(record, status, statusMessage),
    ttlMs,
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
  };
}

/** The members of an object as JSON text. */
function members(object: object): string {
  return encode(object).slice(1, -1);
}

/** The answer that creates a task: nested in 2025-11-25, flat in the extension (LTASK-06, XTASK-05). */
export function createdTask(record: TaskRecord, revision: Revision): Reply {
  if (revision.tasks === 'core') return { members: members({ task: coreTask(record) }) };
  return { members: members(flatTask(record)), resultType: 'task' };
}

function declares(capabilities: ClientCapabilities, ...path: readonly string[]): boolean {
  let value: unknown = capabilities;
  for (const step of path) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return isObject(value);
}

/** Whether a client that declares this can be shown the question: the creating request declared it too (XTASK-13). */
function isAskable({ method, params }: TaskQuestion, capabilities: ClientCapabilities): boolean {
  switch (method) {
    case 'elicitation/create':
      if (params?.['mode'] === 'url') return declares(capabilities, 'elicitation', 'url');
      // `elicitation: {}` means forms (ELIC-02).
      return (
        declares(capabilities, 'elicitation', 'form') ||
        (declares(capabilities, 'elicitation') && !declares(capabilities, 'elicitation', 'url'))
      );
    case 'sampling/createMessage':
      return declares(capabilities, 'sampling', ...(params?.['tools'] === undefined ? [] : ['tools']));
    default:
      return declares(capabilities, 'roots');
  }
}

/** The whole task as `tasks/get` of the extension shows it, as members of JSON text (XTASK-08, XTASK-11). */
export function detailedTask(record: TaskRecord, capabilities: ClientCapabilities): string {
  const task = members(flatTask(record));
  switch (record.status) {
    case 'input_required': {
      const shown = Object.entries(record.questions).filter(([, question]) => isAskable(question, capabilities));
      return `${task},"inputRequests":${encode(Object.fromEntries(shown))}`;
    }
    case 'completed':
      return `${task},"result":${extensionResult(record)}`;
    case 'failed':
      return `${task},"error":${record.error ?? LOST}`;
    default:
      return task;
  }
}

const LOST = `{"code":${ErrorCode.InternalError},"message":"The outcome of the task was lost"}`;

/** A result is kept as the wire of its call wrote it; only a client that changed revisions meanwhile needs it rewritten. */
function isCoreResult(record: TaskRecord): boolean {
  return findRevision(record.revision)?.tasks === 'core';
}

function extensionResult(record: TaskRecord): string {
  const text = record.result ?? '{}';
  if (!isCoreResult(record)) return text;
  const result: unknown = JSON.parse(text);
  if (!isObject(result) || !isObject(result['_meta'])) return text;
  const { [META.relatedTask]: _related, ...meta } = result['_meta'];
  return encode({ ...result, _meta: meta });
}

/** What `tasks/result` answers for a task that is over: the result of the call, or its error (LTASK-11, LTASK-12). */
export function corePayload(record: TaskRecord): Reply {
  if (record.status === 'completed' && record.result !== undefined) {
    if (isCoreResult(record)) return { members: record.result.slice(1, -1) };
    const { resultType: _type, ...result } = JSON.parse(record.result) as Record<string, unknown>;
    return { members: members(related(result, record.id)) };
  }
  if (record.status === 'cancelled')
    throw new ProtocolError(ErrorCode.InvalidParams, 'The task was cancelled: it has no result');
  const error = JSON.parse(record.error ?? LOST) as { code: number; message: string; data?: unknown };
  throw new ProtocolError(error.code, error.message, 200, error.data);
}
