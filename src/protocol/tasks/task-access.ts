import type { Call, ClientCapabilities, RequestMessage } from '../call.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import { isObject } from '../json/json.js';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Whether this request declares the extension; legacy `tasks` capabilities do not count (XTASK-02, XTASK-25). */
export function declaresTasks(capabilities: ClientCapabilities): boolean {
  const extensions = Object.hasOwn(capabilities, 'extensions') ? capabilities['extensions'] : undefined;
  return isObject(extensions) && Object.hasOwn(extensions, TASKS_EXTENSION) && isObject(extensions[TASKS_EXTENSION]);
}

/** The refusal of a request that needs the extension and does not declare it (XTASK-03, XTASK-19, SUB-17). */
export function tasksNotDeclared(): ProtocolError {
  const message = `The client must declare the extension ${TASKS_EXTENSION}`;
  return new ProtocolError(ErrorCode.MissingRequiredClientCapability, message, 400, {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

/**
 * Whose tasks these are. An anonymous client's tasks belong to its session where there is one: whoever is in another
 * session must not see them (LTASK-20). Without either, the unguessable id is all that protects a task (LTASK-21).
 */
export function taskOwner({
  identityKey,
  conversation,
}: Pick<Call, 'identityKey' | 'conversation'>): string | undefined {
  if (identityKey !== undefined || conversation?.id === undefined) return identityKey;
  return `session:${conversation.id}`;
}

/** The ttl a 2025-11-25 client asks for; the extension has no such wish (LTASK-09). */
export function requestedTtl(message: RequestMessage): number | undefined {
  const task = Object.hasOwn(message.params, 'task') ? message.params['task'] : undefined;
  const ttl = isObject(task) ? (task['ttl'] ?? undefined) : undefined;
  if (ttl === undefined) return undefined;
  if (typeof ttl === 'number' && Number.isFinite(ttl) && ttl > 0) return Math.ceil(ttl);
  throw new ProtocolError(ErrorCode.InvalidParams, 'params.task.ttl must be a positive number of milliseconds');
}
