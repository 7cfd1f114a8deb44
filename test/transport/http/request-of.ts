import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** A request with these header lines, joined as node joins them; `localAddress` is where it was received. */
export function requestOf(
  lines: readonly (readonly [string, string])[],
  { method = 'POST', localAddress }: { readonly method?: string; readonly localAddress?: string } = {},
): IncomingMessage {
  const socket = new Socket();
  if (localAddress !== undefined) Object.defineProperty(socket, 'localAddress', { value: localAddress });
  const request = new IncomingMessage(socket);
  request.method = method;
  request.rawHeaders = lines.flat();
  const headers: Record<string, string> = {};
  for (const [line, value] of lines) {
    const name = line.toLowerCase();
    const before = headers[name];
    // Of Host node keeps the first line; others it joins.
    if (before === undefined) headers[name] = value;
    else if (name !== 'host') headers[name] = `${before}, ${value}`;
  }
  request.headers = headers;
  return request;
}
