import type { NotificationMessage, RequestMessage } from '../../protocol/call.js';
import { declaredVersion, META, requireEnvelope, servedRevision, unsupportedVersion } from '../../protocol/envelope.js';
import { ErrorCode, ProtocolError } from '../../protocol/errors.js';
import type { Revision } from '../../protocol/revisions.js';
import type { PipeConversation } from './pipe-conversation.js';

/** What a message on a pipe is served as. */
export interface Route<M> {
  readonly message: M;
  readonly revision: Revision;
  /** Handshake revisions after `initialize`; modern requests know of none (VER-06). */
  readonly conversation: PipeConversation | undefined;
}

/**
 * Judges a request by its own `_meta`, then by the handshake of this pipe (VER-10). Throws `ProtocolError` when it can
 * be served as neither.
 */
export function routeRequest(
  message: RequestMessage,
  served: readonly Revision[],
  conversation: PipeConversation | undefined,
): Route<RequestMessage> {
  const version = declaredVersion(message.params);
  const declared = version === undefined ? undefined : servedRevision(served, version);
  if (version !== undefined && declared === undefined) throw unsupportedVersion(served, version);
  if (declared?.era === 'modern') {
    requireEnvelope(message.params);
    return { message, revision: declared, conversation: undefined };
  }
  const legacy = served.find(({ era }) => era === 'legacy');
  if (message.method === 'initialize') return openingRoute(message, served, legacy, conversation);
  if (conversation !== undefined) return { message, revision: declared ?? conversation.revision, conversation };
  if (message.method === 'ping' && legacy !== undefined) {
    return { message, revision: declared ?? legacy, conversation: undefined };
  }
  const modern = served.find(({ era }) => era === 'modern');
  if (message.method === 'server/discover' && version === undefined && modern !== undefined) {
    return { message: asModern(message, modern), revision: modern, conversation: undefined };
  }
  if (legacy === undefined) requireEnvelope(message.params);
  throw new ProtocolError(
    ErrorCode.InvalidRequest,
    'Not initialized: send initialize first, or name a modern protocol version in params._meta',
    400,
  );
}

/** Undefined for a notification that belongs to no era yet; it is ignored (BASE-11). */
export function routeNotification(
  message: NotificationMessage,
  served: readonly Revision[],
  conversation: PipeConversation | undefined,
): Route<NotificationMessage> | undefined {
  const meta = message.params['_meta'];
  const version = meta === undefined ? undefined : (meta as Record<string, unknown> | null)?.[META.protocolVersion];
  const declared = typeof version === 'string' ? servedRevision(served, version) : undefined;
  if (declared?.era === 'modern') return { message, revision: declared, conversation: undefined };
  return conversation === undefined ? undefined : { message, revision: conversation.revision, conversation };
}

function openingRoute(
  message: RequestMessage,
  served: readonly Revision[],
  legacy: Revision | undefined,
  conversation: PipeConversation | undefined,
): Route<RequestMessage> {
  if (conversation !== undefined) throw new ProtocolError(ErrorCode.InvalidRequest, 'Already initialized', 400);
  if (legacy !== undefined) return { message, revision: legacy, conversation: undefined };
  // VER-13: a server without handshake says which versions it has.
  const requested = message.params['protocolVersion'];
  throw unsupportedVersion(served, typeof requested === 'string' ? requested : '');
}

/** A client that asks for eras before it knows of `_meta` is answered all the same. */
function asModern(message: RequestMessage, modern: Revision): RequestMessage {
  const meta = message.params['_meta'] as Record<string, unknown> | undefined;
  const _meta = { [META.clientCapabilities]: {}, ...meta, [META.protocolVersion]: modern.name };
  return { ...message, params: { ...message.params, _meta } };
}
