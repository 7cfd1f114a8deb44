import { declareParameter } from './parameters.js';

/** The parameter gets the `McpContext` of the call. */
export function McpCtx(): ParameterDecorator {
  return (target, key, index) => declareParameter({ kind: 'context', index, pipes: [] }, target, key);
}
