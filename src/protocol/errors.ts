/**
 * Every error of the package: what an author may throw, and what the protocol answers.
 * A model reads `McpToolError`; a client reads `McpError`.
 */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** Handshake revisions only (ERR-10). */
  ResourceNotFound: -32002,
  /** 2025-11-25 only (ERR-09). */
  UrlElicitationRequired: -32042,
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
} as const;

/**
 * A JSON-RPC error answer. Thrown by an author it reaches the client as it is, with HTTP status 200.
 * The codes of the specification (-32099…-32020, -32002, -32042) are not an author's to send: they are logged and
 * answered as -32603.
 */
export class McpError extends Error {
  override readonly name: string = 'McpError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A failure the model may read: an `isError` result with this text, and `data` as JSON when given. */
export class McpToolError extends Error {
  override readonly name: string = 'McpToolError';

  constructor(
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** Thrown by a resource: it does not exist. `reason` is sent to the client beside the uri. */
export class McpNotFound extends Error {
  override readonly name: string = 'McpNotFound';

  constructor(readonly reason?: string) {
    super(reason ?? 'Not found');
  }
}

/** An answer the protocol itself decides; `status` is the HTTP status where HTTP carries it. */
export class ProtocolError extends McpError {
  override readonly name = 'ProtocolError';

  constructor(
    code: number,
    message: string,
    readonly status: number = 200,
    data?: unknown,
  ) {
    super(code, message, data);
  }
}

/**
 * The host refused a call with an HTTP exception. `origin` says how: a guard about the caller's authorization (401, or
 * `McpForbidden`: the status is kept, with the challenge, while the head is still ours), a guard otherwise (such as one
 * that returned false), or the method, a pipe or an interceptor (the model reads the message).
 */
export class HandlerRefusal extends Error {
  override readonly name = 'HandlerRefusal';

  constructor(
    readonly origin: 'authorization' | 'guard' | 'method',
    readonly status: number,
    message: string,
    readonly challenge?: string,
  ) {
    super(message);
  }
}

/** What a handler returned cannot be sent: it breaks its output schema or has no shape the protocol knows. Never sent. */
export class OutputFault extends Error {
  override readonly name: string = 'OutputFault';
}

/** A value has no JSON form: a cycle, NaN, an invalid date, a getter that throws. The message names the place. */
export class EncodeError extends OutputFault {
  override readonly name = 'EncodeError';
}
