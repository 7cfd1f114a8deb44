import { Buffer } from 'node:buffer';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { encodeError } from '../../protocol/results/encoder.js';
import { ErrorCode } from '../../protocol/errors.js';
import type { RequestId } from '../../protocol/call.js';

/** False when a head was sent, by us or by somebody else, or when the client has left. */
export function isWritable(response: ServerResponse): boolean {
  return !response.headersSent && !response.destroyed && !response.writableEnded;
}

const LONG_TEXT = 16_384;

/** Writes a whole answer past the framework's own serializer. Nothing happens when a head was sent already. */
export function writeJson(response: ServerResponse, status: number, body: string, headers?: OutgoingHttpHeaders): void {
  if (!isWritable(response)) return;
  // A long text is turned into bytes once; Node would measure it, then write it. A short one travels with its head.
  const payload = body.length > LONG_TEXT ? Buffer.from(body) : body;
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  const own = { 'content-type': 'application/json', 'content-length': length };
  response.writeHead(status, headers === undefined ? own : { ...own, ...headers });
  response.end(payload);
}

const NO_BODY = { 'content-length': 0 };

/** An answer without a body: 202 for what is not answered, 204. */
export function writeEmpty(response: ServerResponse, status: number): void {
  if (!isWritable(response)) return;
  // Without a length Node would send an empty chunked body; a 204 has neither.
  response.writeHead(status, status === 204 ? undefined : NO_BODY);
  response.end();
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** Default -32600. */
  readonly code?: number;
  readonly id?: RequestId;
  readonly data?: unknown;
  readonly headers?: OutgoingHttpHeaders;
}

function refusalBody({ code = ErrorCode.InvalidRequest, id, message, data }: Refusal): string {
  return encodeError(id, code, message, data);
}

/** Refuses after the body was read: the connection is kept. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  writeJson(response, refusal.status, refusalBody(refusal), refusal.headers);
}

const LINGER_BYTES = 65_536;
const LINGER_MS = 500;

/**
 * Refuses before the body was read, and ends the connection: nothing is read on behalf of a refused caller. A little
 * input is discarded first, so that the answer is not lost to a reset.
 */
export function refuseUnread(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (!isWritable(response)) return;
  const body = refusalBody(refusal);
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // HTTP/2 has no such header: there a stream ends, not the connection.
    ...(request.httpVersionMajor < 2 ? { connection: 'close' } : {}),
    ...refusal.headers,
  });
  if (request.readableEnded || request.complete || request.httpVersionMajor >= 2) {
    response.end(body);
    return;
  }
  response.write(body);
  linger(request, () => response.end());
}

function linger(request: IncomingMessage, done: () => void): void {
  let left = LINGER_BYTES;
  const stop = (): void => {
    clearTimeout(timer);
    request.off('data', onData).off('end', stop).off('close', stop).off('error', stop);
    request.pause();
    done();
  };
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left <= 0) stop();
  };
  const timer = setTimeout(stop, LINGER_MS);
  timer.unref();
  request.on('data', onData).on('end', stop).on('close', stop).on('error', stop);
  request.resume();
}
