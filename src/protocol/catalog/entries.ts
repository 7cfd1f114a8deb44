import type { McpContext } from '../context.js';
import type { Gate } from '../gate.js';
import type { ReadonlyJsonObject } from '../json/json.js';

/**
 * What runs. `args` is what the schema made of the client's arguments (tools, prompts), the variables of the template
 * (templates), nothing (resources), or a `CompletionInput` (completions).
 */
export type Handler = (args: unknown, context: McpContext) => unknown;

/** One broken rule: where (`tags[1]`, `opts.mode`, `arguments` for the root) and what was expected. Never the value. */
export interface Violation {
  readonly path: string;
  readonly rule: string;
}

export type Parsed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly violations: readonly Violation[] };

/** The listed schema of arguments and what enforces it. */
export interface ArgumentSchema {
  /** As listed in 2026-07-28: `type: "object"` at the root, JSON Schema 2020-12 unless `$schema` says otherwise. */
  readonly wire: ReadonlyJsonObject;
  /** Checks the listed schema, drops undeclared top-level keys, then runs the source's own validator. */
  parse(args: Record<string, unknown>): Parsed | Promise<Parsed>;
}

/** The listed schema of a structured result. */
export interface ResultSchema {
  readonly wire: ReadonlyJsonObject;
  /** Cuts the value to what the schema declares, then checks it. `value` holds the cut value. */
  parse(value: unknown): Parsed;
}

export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  readonly lastModified?: string;
}

export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

interface Described {
  /** `Class.method`, for boot faults, logs and observers. Never on the wire. */
  readonly source: string;
  readonly handler: Handler;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly meta?: ReadonlyJsonObject;
}

export type TaskSupport = 'never' | 'allowed' | 'always';

export interface ToolDefinition extends Described {
  readonly kind: 'tool';
  readonly name: string;
  readonly input: ArgumentSchema;
  readonly output?: ResultSchema;
  readonly annotations?: ToolAnnotations;
  /** A label for audits; not on the wire. */
  readonly commandClass?: string;
  readonly mode?: 'read-only' | 'additive' | 'idempotent' | 'destructive';
  readonly task?: TaskSupport;
  /** Decides about calls of this tool, after the server's gate. */
  readonly gate?: Gate;
  /** MIME type of a bare `Buffer` result. */
  readonly mimeType?: string;
  /** Time for one call, in ms; the server's own bound is for tools without one. */
  readonly timeoutMs?: number;
  /** Calls of this tool at once. */
  readonly maxConcurrent?: number;
  /** UTF-8 bytes of one result; the server's own bound is for tools without one. */
  readonly maxOutputBytes?: number;
}

/** What makes a resource a file of a skill (the skills extension). */
export interface SkillFile {
  /** uri of the skill's `SKILL.md`: of this resource, or of the one that it supports. */
  readonly of: string;
  /** `sha256:` and 64 lowercase hexadecimal digits, of the bytes that are read. */
  readonly digest: string;
  /** How many bytes those are. */
  readonly size: number;
  /** What the `SKILL.md` says before its text; `SKILL.md` alone has it. */
  readonly frontmatter?: ReadonlyJsonObject;
}

export interface ResourceDefinition extends Described {
  readonly kind: 'resource';
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
  /** Bytes before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
  /** Supporting files are read but not listed, and hidden with their skill. */
  readonly skill?: SkillFile;
}

export interface TemplateDefinition extends Described {
  readonly kind: 'template';
  readonly uriTemplate: string;
  readonly name: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface PromptDefinition extends Described {
  readonly kind: 'prompt';
  readonly name: string;
  readonly arguments: readonly PromptArgument[];
  readonly input: ArgumentSchema;
}

/** What a completion handler gets as `args`: what was typed, and the arguments already resolved (COMP-03), else `{}`. */
export interface CompletionInput {
  readonly value: string;
  readonly arguments: Readonly<Record<string, string>>;
}

export interface CompletionDefinition {
  readonly kind: 'completion';
  readonly source: string;
  readonly handler: Handler;
  readonly ref:
    { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: string;
}

export type Definition =
  ToolDefinition | ResourceDefinition | TemplateDefinition | PromptDefinition | CompletionDefinition;

/** Something wrong found at boot; all are reported together. */
export interface Fault {
  readonly source: string;
  readonly message: string;
}
