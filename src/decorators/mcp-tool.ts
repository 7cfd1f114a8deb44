import { declare } from './metadata.js';
import type { McpToolOptions } from './options.js';
import type { MethodDecoratorTaking } from './tool-method.js';

/**
 * Offers a method of a provider or controller as a tool. Without parameter decorators the method is called with
 * `(arguments, context)`; what it may return is described under results in the documentation.
 */
export function McpTool<Args = never>(options: McpToolOptions<Args> = {}): MethodDecoratorTaking<Args> {
  return (target, key, descriptor) => declare('tool', options, [target, key, descriptor.value]);
}
