import { declareParameter, type McpArgOptions, type Pipe } from './parameters.js';

function isPipe(value: McpArgOptions | Pipe): value is Pipe {
  return typeof value === 'function' || ('transform' in value && typeof value.transform === 'function');
}

/** `Function.length` stops at the first default value. */
function isBeforeDefaults(target: object, key: string | symbol | undefined, index: number): boolean {
  const method: unknown = key === undefined ? undefined : Reflect.get(target, key);
  return typeof method !== 'function' || index < method.length;
}

/**
 * The parameter gets the argument of this name, `undefined` when the caller left it out (so a default value applies).
 * Without an `input` schema, the tool's or prompt's schema is made of these parameters.
 */
export function McpArg(name: string, ...pipes: readonly Pipe[]): ParameterDecorator;
export function McpArg(name: string, options: McpArgOptions, ...pipes: readonly Pipe[]): ParameterDecorator;
export function McpArg(name: string, first?: McpArgOptions | Pipe, ...rest: readonly Pipe[]): ParameterDecorator {
  const leading = first !== undefined && isPipe(first) ? [first] : [];
  const options = first === undefined || isPipe(first) ? {} : first;
  const pipes = [...leading, ...rest];
  return (target, key, index) => {
    const required = options.required ?? isBeforeDefaults(target, key, index);
    declareParameter({ kind: 'argument', index, pipes, name, options, required }, target, key);
  };
}
