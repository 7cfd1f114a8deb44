import type { EntryOf } from '../catalog/catalog-entries.js';
import { ErrorCode, HandlerRefusal, McpError, McpToolError, ProtocolError } from '../errors.js';
import type { TaskSupport, Violation } from '../catalog/entries.js';
import { decidesStatus, refusalText, report } from '../failures.js';
import { isObject } from '../json/json.js';
import { CallTimeout, OutputTooLarge } from '../limits.js';
import type { Reply } from '../reply.js';
import type { Revision } from '../revisions.js';
import { McpInputRequired } from '../questions/round.js';
import { declaresTasks, tasksNotDeclared } from '../tasks/task-access.js';
import { toToolError, toToolResult } from '../results/tool-result.js';
import type { TaskRunner } from '../tasks/task-runner.js';
import { Dispatch } from './dispatch.js';
import { gatekeep, gatesOf } from './gatekeeping.js';
import { featuresOf, type Method, type MethodCall } from './method.js';
import { argumentsParam, stringParam } from './params.js';

/** What the model reads of a failure that it cannot repair. */
const FAILED = 'The tool failed unexpectedly. Quote this reference to the operator:';

function unknownTool(name: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, 'Unknown tool', 200, { name });
}

function refusedArguments(name: string, violations: readonly Violation[], revision: Revision): Reply {
  const reason = violations.map(({ path, rule }) => `${path} ${rule}`).join('; ');
  return toToolError(`${name}: invalid arguments: ${reason}`, undefined, { revision });
}

/** An error of the handler that the model reads, or the error itself when it decides the whole answer. */
function failedCall(error: unknown, entry: EntryOf<'tool'>, request: MethodCall): Reply {
  const { call, options } = request;
  const { output } = entry.definition;
  const shape = { revision: call.revision, ...(output === undefined ? {} : { output }) };
  if (error instanceof McpToolError) return toToolError(error.message, error.data, shape);
  if (error instanceof CallTimeout || error instanceof OutputTooLarge) {
    return toToolError(`${entry.definition.name}: ${error.message}`, undefined, shape);
  }
  if (error instanceof McpError || error instanceof McpInputRequired) throw error;
  if (error instanceof HandlerRefusal) {
    if (decidesStatus(error, call)) throw error;
    return toToolError(refusalText(error), undefined, shape);
  }
  if (call.channel.signal.aborted) throw error;
  const reference = report(options, entry.definition.source, error);
  return toToolError(`${FAILED} ${reference}`, undefined, shape);
}

/** Runs a tool whose arguments were parsed. */
async function produce(entry: EntryOf<'tool'>, args: unknown, { call, context }: MethodCall): Promise<Reply> {
  const { handler, output, mimeType } = entry.definition;
  const value = await handler(args, context);
  return toToolResult(value, {
    revision: call.revision,
    ...(output === undefined ? {} : { output }),
    ...(mimeType === undefined ? {} : { mimeType }),
  });
}

/** Within the limits of the call, and observed, where there are any or anybody observes. */
async function runTool(
  entry: EntryOf<'tool'>,
  args: unknown,
  { request, dispatch }: { readonly request: MethodCall; readonly dispatch: Dispatch | undefined },
): Promise<Reply> {
  const recover = (error: unknown): Reply => {
    try {
      return failedCall(error, entry, request);
    } catch (thrown) {
      // The data of an `McpToolError` may have no JSON form.
      return failedCall(thrown, entry, request);
    }
  };
  if (dispatch !== undefined) return dispatch.run(request, () => produce(entry, args, request), recover);
  try {
    return await produce(entry, args, request);
  } catch (error) {
    return recover(error);
  }
}

function isCore({ call }: MethodCall): boolean {
  return call.revision.tasks === 'core';
}

/**
 * Whether this call becomes a task; refuses what its wire forbids. Where there are no tasks every tool runs
 * synchronously, and a wish for a task is ignored (LTASK-02).
 */
function becomesTask(support: TaskSupport = 'never', request: MethodCall): boolean {
  const {
    call: { revision },
    context,
    message,
  } = request;
  const wished = isCore(request) && Object.hasOwn(message.params, 'task') ? message.params['task'] : undefined;
  if (support === 'never' && wished === undefined) return false;
  if (!featuresOf(request, request.call).tasks) return false;
  if (revision.tasks === 'extension') {
    if (declaresTasks(context.clientCapabilities)) return true;
    if (support === 'always') throw tasksNotDeclared();
    return false;
  }
  if (wished !== undefined && !isObject(wished)) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'params.task must be an object');
  }
  if (support === 'never') throw new ProtocolError(ErrorCode.MethodNotFound, 'This tool cannot be called as a task');
  if (support === 'always' && wished === undefined) {
    throw new ProtocolError(ErrorCode.MethodNotFound, 'This tool can only be called as a task');
  }
  return wished !== undefined;
}

/**
 * The result of a call that does not run. Where a task was asked for even this comes as one (LTASK-06); the extension may
 * answer at once (XTASK-04).
 */
function atOnce(reply: Reply, request: MethodCall, tasks: TaskRunner | undefined): Reply | Promise<Reply> {
  return tasks !== undefined && isCore(request) ? tasks.start(request, async () => reply) : reply;
}

async function call(request: MethodCall): Promise<Reply> {
  const { message, context, resolver } = request;
  const name = stringParam(message.params, 'name');
  const args = argumentsParam(message.params);
  const finding = resolver.find('tool', name, context);
  const entry = finding instanceof Promise ? await finding : finding;
  if (entry === undefined) throw unknownTool(name);
  const tasks = becomesTask(entry.definition.task, request) ? request.tasks : undefined;
  let dispatch: Dispatch | undefined;
  try {
    const parsing = entry.definition.input.parse(args);
    const parsed = parsing instanceof Promise ? await parsing : parsing;
    if (!parsed.ok)
      return await atOnce(refusedArguments(name, parsed.violations, request.call.revision), request, tasks);
    dispatch = Dispatch.begin(entry.definition, request);
    const gates = gatesOf(entry, request);
    const stopped = gates.length === 0 ? undefined : await gatekeep(gates, entry, args, request);
    if (stopped !== undefined) {
      dispatch?.stopped(stopped);
      return await atOnce(stopped, request, tasks);
    }
    const run = (inner: MethodCall): Promise<Reply> => runTool(entry, parsed.value, { request: inner, dispatch });
    return await (tasks === undefined ? run(request) : tasks.start(request, run));
  } catch (error) {
    dispatch?.failed(error);
    return failedCall(error, entry, request);
  }
}

export const toolMethods: readonly (readonly [string, Method])[] = [['tools/call', call]];
