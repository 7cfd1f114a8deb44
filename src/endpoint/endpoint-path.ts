import type { ApplicationConfig } from '@nestjs/core';

/**
 * Every path under which Nest may route to an endpoint: behind the global prefix, and without it where `exclude` says so.
 * `modulePath` is what RouterModule put in front.
 */
export function endpointPaths(config: ApplicationConfig, modulePath: string, path: string): readonly string[] {
  const prefix = config.getGlobalPrefix();
  return [...new Set([join(prefix, modulePath, path), join(modulePath, path)])];
}

function join(...parts: readonly string[]): string {
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return comparablePath(`/${segments.join('/')}`);
}

/** `http://host` in front of the path, as proxies send it (RFC 9112, 3.2.2). */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * The path of a request target in the one form in which paths are compared. Wider than any single router: Express takes
 * `/MCP` and `/mcp/`, Fastify takes `/%6dcp`.
 */
export function comparablePath(target: string): string {
  let path = target.charCodeAt(0) === 0x2f ? target : target.replace(ABSOLUTE, '');
  const end = path.search(/[?#]/);
  if (end !== -1) path = path.slice(0, end);
  if (path.includes('%')) path = decoded(path);
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  return path === '' ? '/' : path.toLowerCase();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
