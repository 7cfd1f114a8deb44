import type { ProtocolServer } from '../protocol/call.js';

/** A wrapper that answered with something that cannot serve. */
export class WrappingFault extends Error {
  override readonly name = 'WrappingFault';
}

/** The core as transports see it: with whatever the host put around it. Throws `WrappingFault`. */
export function wrapped(inner: ProtocolServer, wrap: ((inner: ProtocolServer) => unknown) | undefined): ProtocolServer {
  if (wrap === undefined) return inner;
  const outer = wrap(inner);
  if (isProtocolServer(outer)) return outer;
  throw new WrappingFault(
    'option "core" must answer with an object that has handle(), notify(), mirrored(), revisions and parameterHeaders',
  );
}

function isProtocolServer(value: unknown): value is ProtocolServer {
  if (typeof value !== 'object' || value === null) return false;
  const { handle, notify, mirrored, revisions, parameterHeaders } = value as Record<string, unknown>;
  return (
    [handle, notify, mirrored].every((member) => typeof member === 'function') &&
    Array.isArray(revisions) &&
    Array.isArray(parameterHeaders)
  );
}
