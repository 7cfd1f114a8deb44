import type {
  McpCompletionOptions,
  McpPromptOptions,
  McpResourceOptions,
  McpResourceTemplateOptions,
  McpToolOptions,
} from './options.js';

/** Options as written, by kind of handler. */
export interface DeclaredOptions {
  readonly tool: McpToolOptions<unknown>;
  readonly resource: McpResourceOptions;
  readonly template: McpResourceTemplateOptions;
  readonly prompt: McpPromptOptions<unknown>;
  readonly completion: McpCompletionOptions;
}

export type HandlerKind = keyof DeclaredOptions;

interface DeclarationOf<K extends HandlerKind> {
  readonly kind: K;
  readonly options: DeclaredOptions[K];
  readonly key: string | symbol;
  /** The function as it was when decorated; another decorator may replace it later. Undefined on an accessor. */
  readonly method: unknown;
}

/** What a method decorator left behind: one of a method's roles. */
export type Declaration = { readonly [K in HandlerKind]: DeclarationOf<K> }[HandlerKind];

const DECLARATIONS = 'nestjs-mcp:declarations';

/**
 * Remembers a role of a method on its class. It is kept by class and key and not on the function, so a decorator that
 * replaces the function does not lose it.
 */
export function declare<K extends HandlerKind>(
  kind: K,
  options: DeclaredOptions[K],
  [target, key, method]: readonly [target: object, key: string | symbol, method: unknown],
): void {
  const declaration: DeclarationOf<K> = { kind, options, key, method };
  Reflect.defineMetadata(DECLARATIONS, [...declarationsOf(target), declaration], target);
}

/** The roles declared by one class itself, in order of evaluation. `target` is a prototype, or a class for static methods. */
export function declarationsOf(target: object): readonly Declaration[] {
  return (Reflect.getOwnMetadata(DECLARATIONS, target) as readonly Declaration[] | undefined) ?? [];
}
