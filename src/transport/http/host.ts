import type { IncomingMessage } from 'node:http';
import { valuesOf } from './raw-headers.js';

/** Names under which this server may be called; undefined leaves the default to the address of the connection. */
export type HostRule = ReadonlySet<string> | undefined;

/** Parses the host's list; an entry without a port matches any. Throws a `TypeError` that names a bad entry. */
export function hostRule(allowed: readonly string[] | undefined): HostRule {
  if (allowed === undefined) return undefined;
  const hosts = new Set<string>();
  for (const entry of allowed) {
    const host = parseHost(entry);
    if (host === undefined) {
      throw new TypeError(`${JSON.stringify(entry)} is no host such as api.example.com or [::1]:3000`);
    }
    hosts.add(host.port === undefined ? host.name : `${host.name}:${host.port}`);
  }
  return hosts;
}

interface HostHeader {
  /** Lower case; IPv6 in brackets. */
  readonly name: string;
  readonly port?: string;
}

function parseHost(text: string): HostHeader | undefined {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?$/.exec(text);
  const name = match?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const port = match?.[2];
  return port === undefined ? { name } : { name, port };
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(name);
}

function isLoopbackAddress(address: string | undefined): boolean {
  return (
    address !== undefined && (address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.'))
  );
}

/**
 * True when the request names this server as it may be named. Without a list only connections to a loopback address are
 * checked: there a foreign name is what DNS rebinding looks like (HTTP-08).
 */
export function hostAllowed(request: IncomingMessage, rule: HostRule): boolean {
  if (rule === undefined && !isLoopbackAddress(request.socket.localAddress)) return true;
  const values = request.headers.host === undefined ? authorityOf(request) : valuesOf(request, 'host');
  return values.length > 0 && values.every((value) => named(value, rule));
}

/** HTTP/2 names the host in a pseudo header. */
function authorityOf({ headers }: IncomingMessage): string[] {
  const authority = headers[':authority'];
  return typeof authority === 'string' ? [authority] : [];
}

function named(value: string, rule: HostRule): boolean {
  const host = parseHost(value);
  if (host === undefined) return false;
  if (rule === undefined) return isLoopbackName(host.name);
  return rule.has(host.name) || (host.port !== undefined && rule.has(`${host.name}:${host.port}`));
}
