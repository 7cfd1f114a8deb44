import type { EntryOf } from '../catalog-entries.js';
import type { McpContext } from '../context.js';
import { ErrorCode, HandlerRefusal, McpError, McpToolError, ProtocolError } from '../errors.js';
import type { Violation } from '../entries.js';
import { refusalText, report } from '../failures.js';
import type { Reply } from '../reply.js';
import type { Revision } from '../revisions.js';
import { McpInputRequired } from '../round.js';
import { toToolError, toToolResult } from '../tool-result.js';
import type { Method, MethodCall } from './method.js';
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
  if (error instanceof McpError || error instanceof McpInputRequired) throw error;
  if (error instanceof HandlerRefusal) {
    const authorization = error.status === 401 || error.status === 403;
    if (error.origin === 'guard' && authorization && call.transport === 'http' && call.channel.committed !== true) {
      throw error;
    }
    return toToolError(refusalText(error), undefined, shape);
  }
  if (call.channel.signal.aborted) throw error;
  const reference = report(options, entry.definition.source, error);
  return toToolError(`${FAILED} ${reference}`, undefined, shape);
}

/** Runs a tool whose arguments were parsed. */
async function runTool(entry: EntryOf<'tool'>, args: unknown, context: McpContext, revision: Revision): Promise<Reply> {
  const { handler, output, mimeType } = entry.definition;
  const value = await handler(args, context);
  return toToolResult(value, {
    revision,
    ...(output === undefined ? {} : { output }),
    ...(mimeType === undefined ? {} : { mimeType }),
  });
}

async function call(request: MethodCall): Promise<Reply> {
  const { message, context, resolver } = request;
  const name = stringParam(message.params, 'name');
  const args = argumentsParam(message.params);
  const entry = await resolver.find('tool', name, context);
  if (entry === undefined) throw unknownTool(name);
  try {
    const parsed = await entry.definition.input.parse(args);
    if (!parsed.ok) return refusedArguments(name, parsed.violations, request.call.revision);
    return await runTool(entry, parsed.value, context, request.call.revision);
  } catch (error) {
    return failedCall(error, entry, request);
  }
}

export const toolMethods: readonly (readonly [string, Method])[] = [['tools/call', call]];
