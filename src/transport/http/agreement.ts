import type { IncomingMessage } from 'node:http';
import type { Call, MirroredValue, NotificationMessage, ProtocolServer, RequestMessage } from '../../protocol/call.js';
import { ErrorCode, ProtocolError } from '../../protocol/errors.js';
import { headerEquals } from './header-value.js';
import { valuesOf } from './raw-headers.js';

function refused(header: string, why: string): ProtocolError {
  return new ProtocolError(ErrorCode.HeaderMismatch, `The ${header} header ${why}`, 400);
}

/**
 * Every line of a header says what the body says. Node joins several lines with a comma, so a value that holds one is
 * looked up line by line.
 */
function check(request: IncomingMessage, header: string, body: unknown, sentinel: boolean): void {
  const name = header.toLowerCase();
  const joined = request.headers[name];
  const absent = body === undefined || body === null;
  if (joined === undefined) {
    if (!absent) throw refused(header, 'is required');
    return;
  }
  if (absent) throw refused(header, 'has no counterpart in the body');
  const single = typeof joined === 'string' && !joined.includes(',');
  const lines = single ? [joined] : valuesOf(request, name);
  if (!lines.every((line) => headerEquals(line, body, sentinel))) throw refused(header, 'does not match the body');
}

function checkMirrored(request: IncomingMessage, mirrored: readonly MirroredValue[]): void {
  for (const { header, value } of mirrored) check(request, header, value, true);
}

/** A modern request must repeat its method, its name and annotated arguments in headers (HDR-03 … HDR-16). */
export function checkRequest(
  message: RequestMessage,
  call: Call,
  request: IncomingMessage,
  server: ProtocolServer,
): void | Promise<void> {
  check(request, 'Mcp-Method', message.method, false);
  const mirrored = server.mirrored(message, call);
  if (mirrored instanceof Promise) return mirrored.then((values) => checkMirrored(request, values));
  checkMirrored(request, mirrored);
}

/** A modern notification may leave the header out, but must not lie (section 36 #8). */
export function checkNotification(message: NotificationMessage, request: IncomingMessage): void {
  if (request.headers['mcp-method'] !== undefined) check(request, 'Mcp-Method', message.method, false);
}
