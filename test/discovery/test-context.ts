import { McpContext, RESPONSE } from '../../src/protocol/context.js';

function unreachable(): never {
  throw new Error('not a part of this test');
}

/** A call's context over a plain request object and a recording response, without a transport. */
export class TestContext extends McpContext {
  readonly requestId = 1;
  readonly method = 'tools/call';
  readonly signal: AbortSignal = new AbortController().signal;
  readonly identityKey = undefined;
  readonly sessionId = undefined;
  readonly requestMeta = {};
  readonly revision = '2026-07-28';
  readonly clientInfo = undefined;
  readonly clientCapabilities = {};
  readonly identity: unknown;
  readonly request: unknown;
  readonly [RESPONSE]: unknown;

  constructor(parts: { readonly request?: unknown; readonly response?: unknown; readonly identity?: unknown } = {}) {
    super();
    this.request = parts.request ?? { headers: {} };
    this[RESPONSE] = parts.response ?? {};
    this.identity = parts.identity;
  }

  progress = unreachable;
  log = unreachable;
  elicit = unreachable;
  elicitUrl = unreachable;
  sample = unreachable;
  roots = unreachable;
  step = unreachable;
  releaseStream = unreachable;
}
