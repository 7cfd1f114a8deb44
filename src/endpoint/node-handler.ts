import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf, statelessSessionId } from './caller-identity.js';
import { consumedBody } from './consumed-body.js';
import { continueBody, deferContinue } from './deferred-body.js';
import { passesDoor } from '../guards/door.middleware.js';
import type { RunningServer } from '../assembly/running-server.js';
import { ErrorCode } from '../protocol/errors.js';
import type { McpServerOptions } from '../options/mcp-server-options.js';
import { refuseUnread, type Refusal } from '../transport/http/writing.js';

/** A listener for `request` events of a `node:http` server. It answers every request that it is given. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  /** A listener for `checkContinue`: with it, `100 Continue` is answered only when the body is about to be read. */
  checkContinue(request: IncomingMessage, response: ServerResponse): void;
}

type Authentication = Pick<McpServerOptions, 'authenticate' | 'challenge'>;

/** Host, Origin and preflight, then the caller, then the endpoint: in the order of the module, by the same functions. */
export function nodeHandler(server: RunningServer, options: Authentication): NodeHandler {
  const serve = async (raw: IncomingMessage, rawResponse: ServerResponse): Promise<void> => {
    if (!passesDoor(() => server.door, raw, rawResponse)) return;
    const admission = await admit(raw, options);
    if ('refusal' in admission) {
      const { refusal, reason, error } = admission;
      if (refusal.status < 500) server.logger.debug(`Refused a request with ${refusal.status}: ${reason}`);
      else server.logger.error(reason, error);
      return refuseUnread(raw, rawResponse, refusal);
    }
    const { identityKey } = server.options;
    const caller = callerOf(raw, {
      identity: () => admission.identity,
      ...(identityKey === undefined ? {} : { identityKey }),
    });
    const consumed = consumedBody(raw, raw);
    await server.endpoint.handle({
      raw,
      rawResponse,
      request: raw,
      identity: caller.identity,
      identityKey: caller.key,
      sessionId: statelessSessionId(raw, server.options),
      continue: () => continueBody(raw),
      ...(consumed === undefined ? {} : { consumed }),
    });
  };
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error: unknown) => {
      server.logger.error('An MCP request failed', error);
      refuseUnread(request, response, { status: 500, code: ErrorCode.InternalError, message: 'Internal error' });
    });
  };
  return Object.assign(handler, {
    checkContinue(request: IncomingMessage, response: ServerResponse): void {
      deferContinue(request, response);
      handler(request, response);
    },
  });
}

type Admission =
  { readonly identity: unknown } | { readonly refusal: Refusal; readonly reason: string; readonly error: unknown };

async function admit(request: IncomingMessage, { authenticate, challenge }: Authentication): Promise<Admission> {
  if (authenticate === 'none') return { identity: undefined };
  let error: unknown;
  try {
    const identity: unknown = await authenticate(request);
    if (!isNobody(identity)) return { identity };
  } catch (thrown) {
    error = thrown;
  }
  const { status = 401, challenge: thrown } = refusalIn(error);
  if (status >= 500) {
    const refusal = { status: 500, code: ErrorCode.InternalError, message: 'Internal error' };
    return { refusal, reason: 'authenticate() failed', error };
  }
  const asked = thrown ?? (status === 401 ? (challenge?.(request, error) ?? 'Bearer') : undefined);
  return {
    refusal: {
      status,
      message: MESSAGES[status] ?? 'The request was refused',
      ...(asked === undefined || !HEADER_VALUE.test(asked) ? {} : { headers: { 'www-authenticate': asked } }),
    },
    reason: error === undefined ? 'authenticate() found nobody' : messageOf(error),
    error,
  };
}

const MESSAGES: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden' };
/** What a header value may hold (RFC 9110, 5.5); anything else would break the answer. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** Anonymous callers are let in by `'none'`, never by silence. */
function isNobody(identity: unknown): boolean {
  return identity === undefined || identity === null || identity === false || identity === '';
}

/** What a thrown error says of the answer. */
function refusalIn(error: unknown): { readonly status?: number; readonly challenge?: string } {
  if (typeof error !== 'object' || error === null) return {};
  const { status, challenge } = error as { readonly status?: unknown; readonly challenge?: unknown };
  return {
    ...(Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599
      ? { status: status as number }
      : {}),
    ...(typeof challenge === 'string' ? { challenge } : {}),
  };
}

/** Whatever else was thrown may be the credential itself. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'what was thrown is no Error';
}
