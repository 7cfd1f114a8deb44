import { CallCancelled, type RequestMessage } from '../call.js';
import type { Change } from '../changes.js';
import { META } from '../envelope.js';
import { ErrorCode, McpError, ProtocolError } from '../errors.js';
import type { Reply } from '../reply.js';
import { declaresTasks, taskOwner, tasksNotDeclared } from '../tasks/task-access.js';
import { TaskNotices } from '../tasks/task-notices.js';
import type { Method, MethodCall } from './method.js';
import { objectParam } from './params.js';
import { isReadable } from './resources.js';

/** Uris, and tasks, one subscription may watch. */
const MAX_WATCHED = 1_000;

interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

/** The different texts of a list in the filter; none when it is absent. */
function texts(wished: Readonly<Record<string, unknown>>, name: string): ReadonlySet<string> {
  const list = Object.hasOwn(wished, name) ? wished[name] : [];
  if (Array.isArray(list) && list.every((text) => typeof text === 'string') && list.length <= MAX_WATCHED) {
    return new Set(list as string[]);
  }
  const rule = `params.notifications.${name} must be an array of at most ${MAX_WATCHED} strings`;
  throw new ProtocolError(ErrorCode.InvalidParams, rule);
}

/** Tasks of this caller; the extension must be declared to name any (SUB-17, SUB-18). */
async function ownTasks({ call, context, tasks }: MethodCall, ids: ReadonlySet<string>): Promise<string[]> {
  if (ids.size === 0) return [];
  if (!declaresTasks(context.clientCapabilities)) throw tasksNotDeclared();
  const own: string[] = [];
  for (const id of ids) if ((await tasks?.store.get(id, taskOwner(call))) !== undefined) own.push(id);
  return own;
}

/** What of the wished-for notifications this server sends to this caller (SUB-02, SUB-04, SUB-18). */
async function honoured(request: MethodCall): Promise<Filter> {
  const { message, resolver, context } = request;
  const wished = objectParam(message.params, 'notifications');
  const flag = (name: keyof Filter): object => {
    const value = Object.hasOwn(wished, name) ? wished[name] : undefined;
    if (value !== undefined && typeof value !== 'boolean') {
      throw new ProtocolError(ErrorCode.InvalidParams, `params.notifications.${name} must be a boolean`);
    }
    return value === true ? { [name]: true } : {};
  };
  const readable: string[] = [];
  for (const uri of texts(wished, 'resourceSubscriptions')) {
    if (await isReadable(uri, resolver, context)) readable.push(uri);
  }
  const taskIds = await ownTasks(request, texts(wished, 'taskIds'));
  return {
    ...flag('toolsListChanged'),
    ...flag('promptsListChanged'),
    ...flag('resourcesListChanged'),
    ...(readable.length > 0 ? { resourceSubscriptions: readable } : {}),
    ...(taskIds.length > 0 ? { taskIds } : {}),
  };
}

/** The notification that tells of a change, without `_meta`; undefined when this subscription did not ask for it. */
function notificationFor(change: Change, filter: Filter, uris: ReadonlySet<string>): [string, object] | undefined {
  switch (change.kind) {
    case 'tools':
      return filter.toolsListChanged === true ? ['notifications/tools/list_changed', {}] : undefined;
    case 'prompts':
      return filter.promptsListChanged === true ? ['notifications/prompts/list_changed', {}] : undefined;
    case 'resources':
      return filter.resourcesListChanged === true ? ['notifications/resources/list_changed', {}] : undefined;
    case 'resource':
      return uris.has(change.uri) ? ['notifications/resources/updated', { uri: change.uri }] : undefined;
    default:
      return undefined;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A request whose answer is withheld until the subscription ends (SUB-03 to SUB-11). */
async function listen(request: MethodCall): Promise<Reply> {
  const { message, call, options, tasks } = request;
  const { channel } = call;
  const notify = channel.notify?.bind(channel);
  if (notify === undefined) {
    throw new McpError(ErrorCode.InvalidRequest, 'A subscription needs a client that accepts text/event-stream');
  }
  const filter = await honoured(request);
  const uris = new Set(filter.resourceSubscriptions);
  const _meta = { [META.subscriptionId]: message.id };
  notify('notifications/subscriptions/acknowledged', { notifications: filter, _meta });
  const notices =
    tasks === undefined || filter.taskIds === undefined
      ? undefined
      : new TaskNotices(request, tasks, filter.taskIds, (task) => notify('notifications/tasks', { ...task, _meta }));
  const unsubscribe = options.bus.subscribe((change) => {
    if (change.kind === 'task') return notices?.changed(change.id);
    const notification = notificationFor(change, filter, uris);
    if (notification !== undefined) notify(notification[0], { ...notification[1], _meta });
  });
  try {
    await aborted(channel.signal);
  } finally {
    unsubscribe();
  }
  if (channel.signal.reason instanceof CallCancelled) throw channel.signal.reason;
  // On a pipe the client learns of the end from a notification as well (SUB-11).
  if (call.transport === 'stdio') notify('notifications/cancelled', ended(message, _meta));
  return { members: '', meta: JSON.stringify(_meta).slice(1, -1) };
}

function ended(message: RequestMessage, _meta: object): object {
  return { requestId: message.id, reason: 'The server is shutting down', _meta };
}

export const subscriptionMethods: readonly (readonly [string, Method])[] = [['subscriptions/listen', listen]];
