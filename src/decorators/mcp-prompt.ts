import { declare } from './metadata.js';
import type { McpPromptOptions } from './options.js';
import type { MethodDecoratorTaking } from './tool-method.js';

/**
 * Offers a method as a prompt. It returns a string (one user message), an array of messages, or
 * `{ messages, description }`.
 */
export function McpPrompt<Args = never>(options: McpPromptOptions<Args> = {}): MethodDecoratorTaking<Args> {
  return (target, key, descriptor) => declare('prompt', options, [target, key, descriptor.value]);
}
