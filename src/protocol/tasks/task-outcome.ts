import { META } from '../envelope.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import { failure, OPAQUE, report } from '../failures.js';
import type { MethodCall } from '../methods/method.js';
import type { Reply } from '../reply.js';
import type { TaskChange, TaskRecord } from './tasks.js';

/** What became of the work of a call. */
export type Settlement = { readonly reply: Reply } | { readonly error: unknown };

interface Settled {
  readonly inner: MethodCall;
  readonly record: TaskRecord | undefined;
}

type Print = (reply: Reply, request: MethodCall) => string;

/** What the store keeps of an outcome: the result or error exactly as the call would have been answered (XTASK-09). */
export function outcomeOf({ inner, record }: Settled, settlement: Settlement, print: Print): TaskChange {
  try {
    if ('reply' in settlement) return completed(settlement.reply, inner, { print, taskId: record?.id ?? '' });
    return failed(settlement.error, inner);
  } catch (error) {
    const reference = report(inner.options, inner.message.method, error);
    return failed(new ProtocolError(ErrorCode.InternalError, OPAQUE, 200, { reference }), inner);
  }
}

function completed(reply: Reply, inner: MethodCall, task: { print: Print; taskId: string }): TaskChange {
  const isError = reply.isError === true;
  if (inner.call.revision.tasks !== 'core') return { kind: 'complete', result: task.print(reply, inner), isError };
  // Written once, as every `tasks/result` will answer it (LTASK-12).
  const relation = JSON.stringify({ [META.relatedTask]: { taskId: task.taskId } }).slice(1, -1);
  const meta = reply.meta === undefined || reply.meta === '' ? relation : `${reply.meta},${relation}`;
  return { kind: 'complete', result: task.print({ ...reply, meta }, inner), isError };
}

function failed(reason: unknown, { message, call, options }: MethodCall): TaskChange {
  const { silent, body } = failure(reason, message, call, options);
  if (silent === true) return { kind: 'cancel' };
  const { error } = JSON.parse(body) as { error: { message: string } };
  return { kind: 'fail', error: JSON.stringify(error), statusMessage: error.message };
}
