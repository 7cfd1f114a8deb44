import { Buffer } from 'node:buffer';
import { ErrorCode, ProtocolError } from '../../protocol/errors.js';
import { readJson } from '../../protocol/json/json-reader.js';
import { BodyFault, decodeBody, isConsumed, readBody, type BodyFailure } from './body.js';
import { isEncoded, isJson } from './content-type.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { HttpExchange } from './exchange.js';
import { refuse, refuseUnread, type Refusal } from './writing.js';

/** A body as JSON, before anything is made of it. */
export interface PostedJson {
  readonly value: unknown;
  readonly inexactIds?: ReadonlySet<unknown>;
}

const UNREAD: Readonly<Record<Exclude<BodyFailure, 'gone'>, Refusal>> = {
  large: { status: 413, message: 'The body is too large' },
  slow: { status: 408, message: 'The body did not arrive in time' },
  consumed: { status: 500, code: ErrorCode.InternalError, message: 'Internal error' },
};

type MaybePromise<T> = T | Promise<T>;

/** What is wrong with the head of a POST, before any of the body is read. */
export function refusedHead({ raw }: HttpExchange, { limits }: EndpointOptions): Refusal | undefined {
  const { headers } = raw;
  if (!isJson(headers['content-type'])) return { status: 415, message: 'Content-Type must be application/json' };
  if (isEncoded(headers['content-encoding'])) return { status: 415, message: 'Content-Encoding is not supported' };
  if (limits.requireContentLength && headers['content-length'] === undefined) {
    return { status: 411, message: 'Content-Length is required' };
  }
  return undefined;
}

/** The exact bytes, read under bounds or by whoever came first; undefined when the request was answered. */
function exactBytes(exchange: HttpExchange, options: EndpointOptions): MaybePromise<Uint8Array | undefined> {
  const { raw, consumed } = exchange;
  const { bodyBytes, bodyTimeoutMs } = options.limits;
  const unread = (error: unknown): undefined => refuseFault(error, exchange, options);
  try {
    if (consumed?.bytes !== undefined && isConsumed(raw)) {
      if (consumed.bytes.length > bodyBytes) throw new BodyFault('large');
      return consumed.bytes;
    }
    exchange.continue?.();
    const bytes = readBody(raw, { bytes: bodyBytes, timeoutMs: bodyTimeoutMs });
    return bytes instanceof Promise ? bytes.catch(unread) : bytes;
  } catch (error) {
    return unread(error);
  }
}

function refuseFault(error: unknown, { raw, rawResponse }: HttpExchange, { logger }: EndpointOptions): undefined {
  if (!(error instanceof BodyFault)) throw error;
  if (error.failure !== 'gone') refuseUnread(raw, rawResponse, UNREAD[error.failure]);
  if (error.failure === 'consumed') logger.error('The body was read by somebody else and its bytes are lost');
  return undefined;
}

/** Asks the host about the bytes. True when they pass; otherwise the request was answered, without detail. */
async function passes(bytes: Uint8Array, exchange: HttpExchange, options: EndpointOptions): Promise<boolean> {
  const { rawResponse } = exchange;
  try {
    const verdict = await options.rawBody?.(
      exchange.request,
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    );
    if (verdict === true) return true;
    options.logger.info('A body was refused by the rawBody check');
    refuse(rawResponse, { status: 403, message: 'Forbidden' });
  } catch (error) {
    options.logger.error('The rawBody check failed', error);
    refuse(rawResponse, { status: 500, code: ErrorCode.InternalError, message: 'Internal error' });
  }
  return false;
}

/** The body of a POST as JSON; undefined when the request was answered. */
export async function readPost(exchange: HttpExchange, options: EndpointOptions): Promise<PostedJson | undefined> {
  const { consumed, raw, rawResponse } = exchange;
  // Only a parser's work is left, of a parser that the host put in front: its bytes cannot be had any more.
  const parsed = consumed?.bytes === undefined ? consumed?.parsed : undefined;
  if (parsed !== undefined && options.rawBody === undefined && isConsumed(raw)) return { value: parsed };
  const exact = exactBytes(exchange, options);
  const bytes = exact instanceof Promise ? await exact : exact;
  if (bytes === undefined) return undefined;
  if (options.rawBody !== undefined && !(await passes(bytes, exchange, options))) return undefined;
  const text = decodeBody(bytes);
  if (text === undefined) {
    refuse(rawResponse, { status: 400, code: ErrorCode.ParseError, message: 'The body is not valid UTF-8' });
    return undefined;
  }
  const reading = readJson(text);
  if (reading.ok) return reading;
  const code = reading.kind === 'syntax' ? ErrorCode.ParseError : ErrorCode.InvalidRequest;
  refuse(rawResponse, { status: 400, code, message: reading.reason });
  return undefined;
}

/** A `ProtocolError` of the edge as a refusal. */
export function refusalOf(error: ProtocolError, id?: string | number): Refusal {
  const { status, code, message, data } = error;
  return { status, code, message, ...(id === undefined ? {} : { id }), ...(data === undefined ? {} : { data }) };
}
