import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { hostileRequest, type HostileRequest } from '../e2e/hostile/mutations.js';
import { SESSION } from '../e2e/hostile/valid-requests.js';
import type { HttpAnswer } from './answers.js';

const ANSWER_MS = 2_000;
/** How long an event stream, which may never end, is listened to. */
const LISTEN_MS = 25;

/**
 * How the body is put on the wire: with its length, in chunks of so many bytes, or so many bytes short of the length
 * that was announced.
 */
export type Framing =
  | { readonly kind: 'length' }
  | { readonly kind: 'chunks'; readonly bytes: number }
  | { readonly kind: 'short'; readonly bytes: number }
  | { readonly kind: 'expect' };

export interface FramedRequest extends HostileRequest {
  readonly framing: Framing;
}

const framing: fc.Arbitrary<Framing> = fc.oneof(
  { weight: 90, arbitrary: fc.constant<Framing>({ kind: 'length' }) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 200 }).map((bytes): Framing => ({ kind: 'chunks', bytes })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 50 }).map((bytes): Framing => ({ kind: 'short', bytes })) },
  { weight: 1, arbitrary: fc.constant<Framing>({ kind: 'expect' }) },
);

/** Requests that are sent at once. */
export const hostileRequests: fc.Arbitrary<FramedRequest[]> = fc.array(
  fc.tuple(hostileRequest, framing).map(([request, how]) => ({ ...request, framing: how })),
  { minLength: 1, maxLength: 16 },
);

export const newAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 32 });

function headersOf({ method, body, headers, framing: how }: FramedRequest, port: number, session: string): string[] {
  const sent = headers.map((value) => value.replace(SESSION, session));
  if (!sent.includes('host')) sent.push('host', `127.0.0.1:${port}`);
  if (how.kind === 'expect') sent.push('expect', '100-continue');
  if (how.kind === 'chunks' && method !== 'GET' && method !== 'HEAD') sent.push('transfer-encoding', 'chunked');
  else if (body.length > 0 || method === 'POST') {
    sent.push('content-length', String(body.length + (how.kind === 'short' ? how.bytes : 0)));
  }
  return sent;
}

/** Sends a request; rejects when the answer is not there in time. */
export function send(agent: Agent, port: number, request: FramedRequest, session: string): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { method, path, body, framing: how } = request;
    const headers = headersOf(request, port, session);
    const sent = httpRequest({ agent, port, host: '127.0.0.1', method, path, headers, setHost: false });
    const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
    sent.once('response', (response) => {
      const settle = (text: string): void => {
        clearTimeout(timer);
        // A body of which something is missing leaves a connection that nothing else can use.
        if (how.kind === 'short' || !response.complete) sent.destroy();
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text });
      };
      read(response).then(settle, reject);
    });
    sent.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    if (how.kind === 'short') {
      sent.flushHeaders();
      sent.write(body);
      return;
    }
    if (how.kind === 'chunks') {
      for (let at = 0; at < body.length; at += how.bytes) sent.write(body.subarray(at, at + how.bytes));
      sent.end();
      return;
    }
    sent.end(body);
  });
}

/** The whole body; of an event stream what comes within a while. */
function read(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.once('end', () => resolve(text)).once('error', reject);
    if (response.headers['content-type'] === 'text/event-stream') setTimeout(() => resolve(text), LISTEN_MS);
  });
}

/** A request as a person reads it, and its body as it is. */
export function shown(request: FramedRequest): string {
  const { method, path, headers, body, framing: how } = request;
  const lines = headers.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${JSON.stringify(headers[index + 1])}`] : [],
  );
  return [
    `${method} ${path}, body sent ${JSON.stringify(how)}`,
    ...lines,
    `body ${JSON.stringify(body.toString('utf8').slice(0, 2_000))}`,
    `body in Base64 ${body.length > 4_000 ? `(${body.length} bytes)` : body.toString('base64')}`,
  ].join('\n  ');
}
