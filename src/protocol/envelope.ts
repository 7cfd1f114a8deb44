import { ErrorCode, ProtocolError } from './errors.js';
import { isObject } from './json/json.js';
import { findRevision, type Revision } from './revisions.js';

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;

/**
 * What `params._meta` says of its own version: `none` without `_meta` or without the field, otherwise the text as
 * received. A `_meta` or version of another type is refused (META-07).
 */
export function declaredVersion(params: Readonly<Record<string, unknown>>): string | undefined {
  const meta = params['_meta'];
  if (meta === undefined) return undefined;
  if (!isObject(meta)) throw new ProtocolError(ErrorCode.InvalidParams, 'params._meta must be an object', 400);
  const version = Object.hasOwn(meta, META.protocolVersion) ? meta[META.protocolVersion] : undefined;
  if (version === undefined) return undefined;
  if (typeof version !== 'string') {
    throw new ProtocolError(ErrorCode.InvalidParams, `_meta field ${META.protocolVersion} must be a string`, 400);
  }
  return version;
}

/** Refuses a modern request that lacks a required `_meta` field (META-07, META-08). */
export function requireEnvelope(params: Readonly<Record<string, unknown>>): void {
  const meta = params['_meta'];
  if (meta !== undefined && !isObject(meta)) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'params._meta must be an object', 400);
  }
  for (const field of [META.protocolVersion, META.clientCapabilities]) {
    if (meta === undefined || !Object.hasOwn(meta, field)) {
      throw new ProtocolError(ErrorCode.InvalidParams, `Missing _meta field ${field}`, 400);
    }
  }
  if (meta !== undefined && !isObject(meta[META.clientCapabilities])) {
    throw new ProtocolError(ErrorCode.InvalidParams, `_meta field ${META.clientCapabilities} must be an object`, 400);
  }
}

/** The refusal of a version that is not served (ERR-06, VER-02). */
export function unsupportedVersion(served: readonly Revision[], requested: string): ProtocolError {
  return new ProtocolError(ErrorCode.UnsupportedProtocolVersion, 'Unsupported protocol version', 400, {
    supported: served.map((revision) => revision.name),
    requested,
  });
}

/** A served revision by name. */
export function servedRevision(served: readonly Revision[], name: string): Revision | undefined {
  const revision = findRevision(name);
  return revision !== undefined && served.includes(revision) ? revision : undefined;
}
