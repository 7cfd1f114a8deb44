import { declare } from './metadata.js';
import type { McpResourceTemplateOptions } from './options.js';

/** Offers a method as a family of resources. It is called with `(variables, context)` and returns what a resource may. */
export function McpResourceTemplate(options: McpResourceTemplateOptions): MethodDecorator {
  return (target, key, descriptor) => declare('template', options, [target, key, descriptor.value]);
}
