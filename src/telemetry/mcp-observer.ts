import type { CallDecision } from '../protocol/call-context.js';
import type { RevisionName } from '../protocol/revisions.js';

/**
 * One call and how it ended. It holds no argument, no result, no header, no uri and no text of an error: what of the
 * caller is in it the host's own `identity` option made.
 */
export interface McpCallEvent {
  /** The server's name. */
  readonly server: string;
  /** `tools/call`, `resources/read`, `prompts/get` or `completion/complete`. */
  readonly method: string;
  readonly kind: 'tool' | 'resource' | 'template' | 'prompt' | 'completion';
  /** The name of the entry in the catalog; of a completion, what it completes. */
  readonly name: string;
  /** `Class.method`. */
  readonly source: string;
  readonly transport: 'http' | 'stdio' | 'memory';
  readonly revision: RevisionName;
  /** From accepted arguments to the result, the user's confirmation included, in ms of a monotonic clock. */
  readonly ms: number;
  /** The answer is an `isError` result or an error. */
  readonly isError: boolean;
  /**
   * The kind of failure: `tool_error` for one the model is told of, `denied`, `timeout`, `busy`, `too_large`,
   * `cancelled`, `closing`, `http_403` for an HTTP exception of that status, the code of an `McpError`, else the class of
   * what was thrown.
   */
  readonly error: string | undefined;
  /** The code of the JSON-RPC error that is the answer. */
  readonly code: number | undefined;
  /** The call ended by asking the client, which repeats it with the answers (2026-07-28). */
  readonly inputRequired: boolean;
  /** UTF-8 bytes of the result without what 2026-07-28 adds to it; 0 for an error. */
  readonly resultBytes: number;
  readonly decision: CallDecision;
  readonly identity: unknown;
  readonly identityKey: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Is told of each call of a tool, resource, prompt or completion: denied ones too, but none whose name is unknown or
 * whose arguments were refused. What it throws is logged and ignored; nobody waits for it.
 */
export interface McpObserver {
  onCall(event: McpCallEvent): void | Promise<void>;
}

/** On the channel `nestjs-mcp:dispatch:start`. The channels are open to the whole process: no caller is named. */
export interface McpDispatchStart extends Pick<
  McpCallEvent,
  'server' | 'method' | 'kind' | 'name' | 'source' | 'transport' | 'revision'
> {
  /** The same in all messages of one call. */
  readonly id: number;
}

/** On `nestjs-mcp:dispatch:stop`; on `nestjs-mcp:dispatch:exception` when something was thrown that nobody foresaw. */
export interface McpDispatchEnd
  extends
    McpDispatchStart,
    Pick<McpCallEvent, 'ms' | 'isError' | 'error' | 'code' | 'inputRequired' | 'resultBytes' | 'decision'> {}
