import { declare } from './metadata.js';
import type { McpCompletionOptions } from './options.js';

/**
 * Completes one argument of a prompt or one variable of a resource template. The method is called with
 * `(value, { arguments }, context)`, `arguments` being those the user filled in before, and returns `string[]` or
 * `{ values, total, hasMore }`. One method may complete several: decorate it once for each.
 */
export function McpCompletion(options: McpCompletionOptions): MethodDecorator {
  return (target, key, descriptor) => declare('completion', options, [target, key, descriptor.value]);
}
