import { declareParameter } from './parameters.js';

/** The parameter gets the caller's identity, as the `identity` option made it; `undefined` when anonymous. */
export function McpIdentity(): ParameterDecorator {
  return (target, key, index) => declareParameter({ kind: 'identity', index, pipes: [] }, target, key);
}
