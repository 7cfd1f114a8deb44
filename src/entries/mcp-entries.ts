import type {
  McpCompletionOptions,
  McpPromptOptions,
  McpResourceOptions,
  McpResourceTemplateOptions,
  McpToolOptions,
} from '../decorators/options.js';
import type { McpContext } from '../protocol/context.js';
import type { CompletionInput } from '../protocol/catalog/entries.js';

/** A tool that is no decorated method: what `@McpTool` takes, a name, and the function to call. */
export interface McpToolEntry extends Omit<McpToolOptions<unknown>, 'name'> {
  readonly kind: 'tool';
  readonly name: string;
  /** Gets the validated arguments. Without `input` the tool takes none. Default: the option `dispatch`. */
  handler?(args: Record<string, unknown>, context: McpContext): unknown;
}

/** A resource with a uri of its own. */
export interface McpResourceEntry extends McpResourceOptions {
  readonly kind: 'resource';
  readonly name: string;
  handler(args: unknown, context: McpContext): unknown;
}

/** A family of resources; the handler gets the variables of the template. */
export interface McpResourceTemplateEntry extends McpResourceTemplateOptions {
  readonly kind: 'template';
  readonly name: string;
  handler(variables: Readonly<Record<string, string | readonly string[]>>, context: McpContext): unknown;
}

/** A prompt; its arguments are strings. */
export interface McpPromptEntry extends Omit<McpPromptOptions<unknown>, 'name'> {
  readonly kind: 'prompt';
  readonly name: string;
  handler(args: Record<string, string>, context: McpContext): unknown;
}

/** What completes an argument of a prompt or a variable of a template. */
export type McpCompletionEntry = McpCompletionOptions & {
  readonly kind: 'completion';
  handler(value: string, input: CompletionInput, context: McpContext): unknown;
};

/** An entry of the catalog that is no decorated method, for `McpModule.forFeature` and `McpCatalog`. */
export type McpEntry = McpToolEntry | McpResourceEntry | McpResourceTemplateEntry | McpPromptEntry | McpCompletionEntry;
