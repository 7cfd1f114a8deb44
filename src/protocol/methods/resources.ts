import { HandlerRefusal, McpNotFound, ProtocolError } from '../errors.js';
import type { McpContext } from '../context.js';
import { toResourceContents } from '../resource-contents.js';
import type { Reply } from '../reply.js';
import type { Resolver } from '../resolver.js';
import type { Revision } from '../revisions.js';
import type { Method, MethodCall } from './method.js';
import { stringParam } from './params.js';

function notFound(revision: Revision, uri: string, reason?: string): ProtocolError {
  return new ProtocolError(revision.resourceNotFound, 'Resource not found', 200, {
    uri,
    ...(reason === undefined ? {} : { reason }),
  });
}

interface Readable {
  readonly mimeType: string | undefined;
  run(context: McpContext): unknown;
}

/** A declared uri beats a template. Nothing of the host runs for a uri that is neither. */
async function readable(uri: string, resolver: Resolver, context: McpContext): Promise<Readable | undefined> {
  const entry = await resolver.find('resource', uri, context);
  if (entry !== undefined) {
    const { handler, mimeType } = entry.definition;
    return { mimeType, run: (current) => handler(undefined, current) };
  }
  const matched = await resolver.match(uri, context);
  if (matched === undefined) return undefined;
  const { handler, mimeType } = matched.entry.definition;
  return { mimeType, run: (current) => handler(matched.variables, current) };
}

async function read({ message, call, context, resolver, options }: MethodCall): Promise<Reply> {
  const uri = stringParam(message.params, 'uri');
  const found = await readable(uri, resolver, context);
  if (found === undefined) throw notFound(call.revision, uri);
  try {
    const contents = toResourceContents(await found.run(context), {
      revision: call.revision,
      uri,
      ...(found.mimeType === undefined ? {} : { mimeType: found.mimeType }),
    });
    // A result that answers a replay depends on what the client said meanwhile (CACHE-07).
    const replayed = Object.hasOwn(message.params, 'inputResponses') || Object.hasOwn(message.params, 'requestState');
    const cache = replayed ? ({ ttlMs: 0, scope: 'private' } as const) : options.cache.read;
    return { ...contents, cache };
  } catch (error) {
    if (error instanceof McpNotFound) throw notFound(call.revision, uri, error.reason);
    if (error instanceof HandlerRefusal && error.origin === 'method' && error.status === 404) {
      throw notFound(call.revision, uri, error.message);
    }
    throw error;
  }
}

/** Subscriptions are to what this caller can read (SUB-18). */
async function watched({ message, call, context, resolver }: MethodCall): Promise<string> {
  const uri = stringParam(message.params, 'uri');
  if ((await readable(uri, resolver, context)) === undefined) throw notFound(call.revision, uri);
  return uri;
}

export async function isReadable(uri: string, resolver: Resolver, context: McpContext): Promise<boolean> {
  return (await readable(uri, resolver, context)) !== undefined;
}

export const resourceMethods: readonly (readonly [string, Method])[] = [
  ['resources/read', read],
  [
    'resources/subscribe',
    async (request) => {
      await request.call.conversation?.subscribe(await watched(request));
      return { members: '' };
    },
  ],
  [
    'resources/unsubscribe',
    async ({ message, call }) => {
      await call.conversation?.unsubscribe(stringParam(message.params, 'uri'));
      return { members: '' };
    },
  ],
];
