import { declareParameter, type Pipe } from './parameters.js';

/** The parameter gets the whole arguments object (the variables of a template, the value being completed). */
export function McpArgs(...pipes: readonly Pipe[]): ParameterDecorator {
  return (target, key, index) => declareParameter({ kind: 'arguments', index, pipes }, target, key);
}
