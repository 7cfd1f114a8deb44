import { CallCancelled, type RequestMessage } from '../call.js';
import type { Change } from '../changes.js';
import { META } from '../envelope.js';
import { ErrorCode, McpError, ProtocolError } from '../errors.js';
import type { Reply } from '../reply.js';
import type { Method, MethodCall } from './method.js';
import { objectParam } from './params.js';
import { isReadable } from './resources.js';

/** Uris one subscription may watch. */
const MAX_URIS = 1_000;

interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

/** What of the wished-for notifications this server sends to this caller (SUB-02, SUB-04, SUB-18). */
async function honoured({ message, resolver, context }: MethodCall): Promise<Filter> {
  const wished = objectParam(message.params, 'notifications');
  const flag = (name: keyof Filter): object => {
    const value = Object.hasOwn(wished, name) ? wished[name] : undefined;
    if (value !== undefined && typeof value !== 'boolean') {
      throw new ProtocolError(ErrorCode.InvalidParams, `params.notifications.${name} must be a boolean`);
    }
    return value === true ? { [name]: true } : {};
  };
  const uris = wished['resourceSubscriptions'] ?? [];
  if (!Array.isArray(uris) || uris.some((uri) => typeof uri !== 'string') || uris.length > MAX_URIS) {
    const message_ = `params.notifications.resourceSubscriptions must be at most ${MAX_URIS} uris`;
    throw new ProtocolError(ErrorCode.InvalidParams, message_);
  }
  const readable: string[] = [];
  for (const uri of new Set(uris as string[])) if (await isReadable(uri, resolver, context)) readable.push(uri);
  return {
    ...flag('toolsListChanged'),
    ...flag('promptsListChanged'),
    ...flag('resourcesListChanged'),
    ...(readable.length > 0 ? { resourceSubscriptions: readable } : {}),
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
  const { message, call, options } = request;
  const { channel } = call;
  const notify = channel.notify?.bind(channel);
  if (notify === undefined) {
    throw new McpError(ErrorCode.InvalidRequest, 'A subscription needs a client that accepts text/event-stream');
  }
  const filter = await honoured(request);
  const uris = new Set(filter.resourceSubscriptions);
  const _meta = { [META.subscriptionId]: message.id };
  notify('notifications/subscriptions/acknowledged', { notifications: filter, _meta });
  const unsubscribe = options.bus.subscribe((change) => {
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
