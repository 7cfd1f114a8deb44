import { declare } from './metadata.js';
import type { McpToolOptions } from './options.js';
import type { MethodDecoratorTaking } from './tool-method.js';

/**
 * Offers a method of a provider or controller as a tool. Without parameter decorators the method is called with
 * `(arguments, context)`; what it may return is described under results in the documentation. A decorator that replaces
 * the function belongs above this one: below it, it hides the guards that stand under it.
 */
export function McpTool<Args = never>(options: McpToolOptions<Args> = {}): MethodDecoratorTaking<Args> {
  return (target, key, descriptor) => declare('tool', options, [target, key, descriptor.value]);
}
