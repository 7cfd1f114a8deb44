import type { IncomingMessage, ServerResponse } from 'node:http';

const DEFERRED = Symbol('nestjs-mcp:deferred');
const CONTINUE = Symbol('nestjs-mcp:continue');

/** The headers by which body parsers know that a request has a body they understand. */
const BODY_HEADERS = ['content-type', 'content-length', 'transfer-encoding'] as const;
type BodyHeader = (typeof BODY_HEADERS)[number];

type Marked = IncomingMessage & {
  [DEFERRED]?: Partial<Record<BodyHeader, string>>;
  [CONTINUE]?: ServerResponse | undefined;
};

/** Sets the body's headers aside: every parser sees a request without a body and leaves the stream alone. Idempotent. */
export function deferBody(request: IncomingMessage): void {
  const marked = request as Marked;
  if (marked[DEFERRED] !== undefined) return;
  const aside: Partial<Record<BodyHeader, string>> = {};
  const { headers } = request;
  for (const name of BODY_HEADERS) {
    const value = headers[name];
    if (value === undefined) continue;
    aside[name] = value;
    // Deleting would turn the object into a slow one for everybody who reads it later; parsers ask for the value.
    headers[name] = undefined;
  }
  marked[DEFERRED] = aside;
}

/** Puts the headers back; from here on the body is the endpoint's to read. */
export function restoreBody(request: IncomingMessage): void {
  const marked = request as Marked;
  const aside = marked[DEFERRED];
  if (aside === undefined) return;
  for (const name of BODY_HEADERS) {
    const value = aside[name];
    if (value !== undefined) request.headers[name] = value;
  }
}

/** Remembers that the client waits for `100 Continue`. */
export function deferContinue(request: IncomingMessage, response: ServerResponse): void {
  (request as Marked)[CONTINUE] = response;
}

/** Answers `100 Continue`, when the client waits for it: the body is about to be read. */
export function continueBody(request: IncomingMessage): void {
  const marked = request as Marked;
  const response = marked[CONTINUE];
  if (response === undefined) return;
  marked[CONTINUE] = undefined;
  response.writeContinue();
}
