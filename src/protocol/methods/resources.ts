import { HandlerRefusal, McpNotFound, ProtocolError } from '../errors.js';
import type { McpContext } from '../context.js';
import type { LimitedEntry } from '../limits.js';
import { toResourceContents } from '../results/resource-contents.js';
import type { Reply } from '../reply.js';
import type { Resolver } from '../catalog/resolver.js';
import type { Revision } from '../revisions.js';
import { dispatched } from './dispatch.js';
import type { Method, MethodCall } from './method.js';
import { stringParam } from './params.js';

function notFound(revision: Revision, uri: string, reason?: string): ProtocolError {
  return new ProtocolError(revision.resourceNotFound, 'Resource not found', 200, {
    uri,
    ...(reason === undefined ? {} : { reason }),
  });
}

interface Readable {
  readonly entry: LimitedEntry;
  readonly mimeType: string | undefined;
  run(context: McpContext): unknown;
}

/** A declared uri beats a template. Nothing of the host runs for a uri that is neither. */
async function readable(uri: string, resolver: Resolver, context: McpContext): Promise<Readable | undefined> {
  const entry = await resolver.find('resource', uri, context);
  if (entry !== undefined) {
    const { handler, mimeType } = entry.definition;
    return { entry: entry.definition, mimeType, run: (current) => handler(undefined, current) };
  }
  const matched = await resolver.match(uri, context);
  if (matched === undefined) return undefined;
  const { handler, mimeType } = matched.entry.definition;
  return { entry: matched.entry.definition, mimeType, run: (current) => handler(matched.variables, current) };
}

async function read(request: MethodCall): Promise<Reply> {
  const { message, call, context, resolver } = request;
  const uri = stringParam(message.params, 'uri');
  const found = await readable(uri, resolver, context);
  if (found === undefined) throw notFound(call.revision, uri);
  return dispatched(found.entry, request, () => contentsOf(uri, found, request));
}

async function contentsOf(
  uri: string,
  found: Readable,
  { message, call, context, options }: MethodCall,
): Promise<Reply> {
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
