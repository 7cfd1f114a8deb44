import type { McpPromptOptions, McpToolOptions } from '../decorators/options.js';
import type { ParameterDeclaration } from '../decorators/parameters.js';
import type { ArgumentSchema, PromptDefinition, ToolDefinition } from '../protocol/catalog/entries.js';
import { isObject } from '../protocol/json/json.js';
import { argumentsOf, type ArgumentParameter } from '../schema/arguments-of.js';
import { compileArguments } from '../schema/compile-arguments.js';
import { compileResult } from '../schema/compile-result.js';
import { promptArguments } from '../schema/prompt-arguments.js';
import { SchemaFault } from '../schema/schema-fault.js';
import { DiscoveryFault } from './discovery-fault.js';

/** A method and what its parameter decorators say. */
export interface MethodSignature {
  readonly prototype: object;
  readonly key: string | symbol;
  readonly parameters: readonly ParameterDeclaration[];
}

const PARAMETER_TYPES = 'design:paramtypes';

/** TypeScript writes `Object` for a parameter whose type is inferred from its default value; `fallback` stands for it. */
function argumentParameters(
  { prototype, key, parameters }: MethodSignature,
  fallback: unknown,
): readonly ArgumentParameter[] {
  // Without decorators there need not be any metadata either.
  if (parameters.length === 0) return [];
  const types = (Reflect.getMetadata(PARAMETER_TYPES, prototype, key) ?? []) as readonly unknown[];
  return parameters.flatMap((parameter) => {
    if (parameter.kind !== 'argument') return [];
    const { name, required, options, index } = parameter;
    const { schema, title, description } = options;
    const type = types[index] === Object ? fallback : types[index];
    return [{ name, required, schema, type, title, description }];
  });
}

/** Says which of a method's schemas a fault is about. */
function compiling<T>(option: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw error instanceof SchemaFault ? new SchemaFault(`${option}: ${error.message}`) : error;
  }
}

// Where a key may be declared besides `properties`.
const OTHER_DECLARATIONS = [
  'patternProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  '$ref',
  '$dynamicRef',
];

/** A parameter for an argument that no call can carry, because undeclared ones are dropped, is a slip of the pen. */
function checkNames({ wire }: ArgumentSchema, picked: readonly ArgumentParameter[]): void {
  const { properties, additionalProperties } = wire;
  if (isObject(additionalProperties) || OTHER_DECLARATIONS.some((keyword) => Object.hasOwn(wire, keyword))) return;
  const stray = picked.find(({ name }) => !isObject(properties) || !Object.hasOwn(properties, name));
  if (stray !== undefined) {
    throw new DiscoveryFault(`@McpArg(${JSON.stringify(stray.name)}) names an argument that input does not declare`);
  }
}

/** The arguments' schema: as given, else made of the `@McpArg` parameters, else of no arguments. */
function inputSchema(input: unknown, signature: MethodSignature, fallback: unknown = Object): ArgumentSchema {
  const picked = argumentParameters(signature, fallback);
  if (input === undefined) return picked.length > 0 ? argumentsOf(picked) : compileArguments(undefined);
  const schema = compiling('input', () => compileArguments(input));
  checkNames(schema, picked);
  return schema;
}

export function toolSchemas(
  { input, output }: McpToolOptions<unknown>,
  signature: MethodSignature,
): Pick<ToolDefinition, 'input' | 'output'> {
  return {
    input: inputSchema(input, signature),
    output: output === undefined ? undefined : compiling('output', () => compileResult(output)),
  };
}

export function promptSchema(
  { input }: McpPromptOptions<unknown>,
  signature: MethodSignature,
): Pick<PromptDefinition, 'input' | 'arguments'> {
  const schema = inputSchema(input, signature, String);
  return { input: schema, arguments: promptArguments(schema) };
}
