import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

export interface BodyLimits {
  /** Most bytes of one body. */
  readonly bytes: number;
  /** Deadline for the whole body, in ms. */
  readonly timeoutMs: number;
}

/** Why a body was not read: `large` 413, `slow` 408, `consumed` 500; `gone`: nobody is there to be answered. */
export type BodyFailure = 'large' | 'slow' | 'consumed' | 'gone';

export class BodyFault extends Error {
  override readonly name = 'BodyFault';

  constructor(readonly failure: BodyFailure) {
    super(`The body was not read: ${failure}`);
  }
}

/** What somebody before us made of the body: the exact bytes, or only what a parser made of them. */
export interface ConsumedBody {
  readonly bytes?: Uint8Array;
  readonly parsed?: unknown;
}

/** True when the stream will give no more data: waiting for its end would be waiting for ever. */
export function isConsumed(request: IncomingMessage): boolean {
  return request.readableDidRead || request.readableEnded;
}

/** Reads the whole body under both bounds; throws or rejects with `BodyFault`. Reading stops at the cap. */
export function readBody(request: IncomingMessage, limits: BodyLimits): Buffer | Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limits.bytes) throw new BodyFault('large');
  // With an encoding somebody asked for text: the exact bytes cannot be had.
  if (isConsumed(request) || request.readableEncoding !== null) throw new BodyFault('consumed');
  // Nothing more would be heard of a client that left before.
  if (request.destroyed) throw new BodyFault('gone');
  // A small body has arrived with its head: it needs no listeners and no timer.
  const there = declared > 0 && request.readableLength === declared ? (request.read() as Buffer | null) : null;
  return there ?? readOn(request, limits);
}

function readOn(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let length = 0;
    const settle = (failure?: BodyFailure): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      if (failure === undefined) {
        resolve(rest === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(rest, length));
        return;
      }
      request.pause();
      reject(new BodyFault(failure));
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limits.bytes) settle('large');
      else if (first === undefined) first = chunk;
      else (rest ??= [first]).push(chunk);
    };
    const onEnd = (): void => settle();
    const onGone = (): void => settle('gone');
    // One deadline for all of it: a client that drips bytes gains nothing (A9.3, 408).
    const timer = setTimeout(() => settle('slow'), limits.timeoutMs);
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** The text of a body, without a byte order mark; undefined when it is not UTF-8 (BASE-02). */
export function decodeBody(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start).toString('utf8');
}
