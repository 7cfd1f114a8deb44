import type { Annotations, Icon, TaskSupport, ToolAnnotations } from '../protocol/catalog/entries.js';
import type { Gate } from '../protocol/gate.js';
import type { ReadonlyJsonObject } from '../protocol/json/json.js';
import type { ArgumentSource } from './tool-method.js';

export interface McpToolOptions<Args = never> {
  /** Default: the method's name. `[A-Za-z0-9_.-]{1,128}`. */
  readonly name?: string;
  readonly title?: string;
  /** What the model reads to decide when and how to call the tool. */
  readonly description?: string;
  /** Schema of the arguments. Default: made of the method's `@McpArg` parameters; without any, no arguments. */
  readonly input?: ArgumentSource<Args>;
  /** Schema of the structured result: a JSON Schema object, a DTO class or a Standard Schema. */
  readonly output?: unknown;
  /** Hints for the client; they win over those `mode` gives. */
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: ReadonlyJsonObject;
  /**
   * What a call may do, told to the client as hints: `read-only` changes nothing, `additive` only adds, `idempotent` may
   * be repeated safely, `destructive` may change or delete.
   */
  readonly mode?: 'read-only' | 'additive' | 'idempotent' | 'destructive';
  /** A label for audits and snapshots; never on the wire. */
  readonly commandClass?: string;
  /** Whether a call may run as a task. Default `never`. */
  readonly task?: TaskSupport;
  /** Allows, denies or wants confirmation of a call, after the server's own gate. */
  readonly gate?: Gate;
  /** MIME type of a `Buffer` that the method returns bare. */
  readonly mimeType?: string;
  /**
   * Time for one call, in ms: then `context.signal` is aborted and the call has failed. While the client is asked the
   * clock stands still. Default: `limits.callTimeoutMs`.
   */
  readonly timeoutMs?: number;
  /**
   * Calls of this tool at once; the model is told to try one more again. A call that timed out counts until the method
   * is done.
   */
  readonly maxConcurrent?: number;
  /** UTF-8 bytes of one result; a longer one is a failed call. Default: `limits.maxOutputBytes`. */
  readonly maxOutputBytes?: number;
}

export interface McpResourceOptions {
  readonly uri: string;
  /** Default: the method's name. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes before any encoding, where known. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: ReadonlyJsonObject;
}

export interface McpResourceTemplateOptions {
  /** RFC 6570 template, e.g. `weather://place/{name}`. */
  readonly uriTemplate: string;
  /** Default: the method's name. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: ReadonlyJsonObject;
}

export interface McpPromptOptions<Args = never> {
  /** Default: the method's name. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Schema of the arguments, all of them strings. Default: made of the method's `@McpArg` parameters. */
  readonly input?: ArgumentSource<Args>;
  readonly icons?: readonly Icon[];
  readonly _meta?: ReadonlyJsonObject;
}

interface CompletedArgument {
  /** The prompt's argument or the template's variable that is completed. */
  readonly argument: string;
}

export type McpCompletionOptions =
  | (CompletedArgument & { /** Name of the prompt. */ readonly prompt: string })
  | (CompletedArgument & { /** The template exactly as declared. */ readonly uriTemplate: string });
