import { declare } from './metadata.js';
import type { McpResourceOptions } from './options.js';

/**
 * Offers a method as a resource. It is called with `(undefined, context)` and returns text, a `Buffer`, an object
 * (served as JSON) or a contents array; `null`, `undefined` and `McpNotFound` mean that it does not exist.
 */
export function McpResource(options: McpResourceOptions): MethodDecorator {
  return (target, key, descriptor) => declare('resource', options, [target, key, descriptor.value]);
}
