import type { ArgumentSchema, Parsed, Violation } from '../protocol/catalog/entries.js';
import { isObject } from '../protocol/json/json.js';
import { compileCheck } from './check.js';
import { argumentSchema } from './compile-arguments.js';
import { isClass } from './dto-metadata.js';
import { emitObject } from './emission.js';
import { mapSubschemas, type JsonSchema } from './json-schema.js';
import { messageOf, SchemaFault } from './schema-fault.js';
import { readSource, type Refine } from './sources.js';

/** One parameter that takes one argument. */
export interface ArgumentParameter {
  readonly name: string;
  readonly required: boolean;
  /** JSON Schema object, class-validator class or Standard Schema. Default: made of `type`. */
  readonly schema?: unknown;
  /** The parameter's type as TypeScript wrote it down (`design:paramtypes`). */
  readonly type?: unknown;
  readonly title?: string;
  readonly description?: string;
}

interface Argument {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly refine?: Refine;
}

const TYPES: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Array, { type: 'array', items: {} }],
  // Interfaces, unions, `any`: nothing is known.
  [Object, {}],
]);

/** Classes of the language: JSON has no form for them that the parameter would get back. */
const FOREIGN = new Set<unknown>([BigInt, Buffer, Date, Function, Map, Promise, RegExp, Set, Symbol, Uint8Array]);

/** References inside the schema of a property, as seen from the root. */
function rebase(schema: unknown, base: string): unknown {
  if (!isObject(schema)) return schema;
  const own = mapSubschemas(schema, (inner) => rebase(inner, base));
  const ref = own['$ref'];
  return typeof ref === 'string' && /^#(\/|$)/.test(ref) ? { ...own, $ref: `${base}${ref.slice(1)}` } : own;
}

function read({ schema, type }: ArgumentParameter): { readonly schema: JsonSchema; readonly refine?: Refine } {
  if (schema !== undefined) {
    const source = readSource(schema, 'input');
    // Alone first: what its author wrote must hold by itself, every keyword and format known.
    if (source.written) compileCheck(source.schema);
    return source;
  }
  const known = TYPES.get(type);
  if (known !== undefined) return { schema: known };
  if (FOREIGN.has(type) || !isClass(type)) {
    const what =
      isClass(type) || typeof type === 'function' ? `type ${type.name} has no JSON form` : 'its type is not known';
    throw new SchemaFault(`${what}: give it a schema (types are known with emitDecoratorMetadata)`);
  }
  return readSource(type, 'input');
}

function readArgument(parameter: ArgumentParameter): Argument {
  const { name, title, description } = parameter;
  try {
    const { schema, refine } = read(parameter);
    const pointer = `#/properties/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
    const rebased = rebase(schema, pointer);
    const texts = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
    return {
      name,
      schema: { ...(isObject(rebased) ? rebased : {}), ...texts },
      ...(refine === undefined ? {} : { refine }),
    };
  } catch (error) {
    throw new SchemaFault(`argument ${JSON.stringify(name)}: ${messageOf(error)}`);
  }
}

function prefixed({ path, rule }: Violation, name: string): Violation {
  return { path: path === '' || path.startsWith('[') ? `${name}${path}` : `${name}.${path}`, rule };
}

type Outcome = readonly [name: string, parsed: Parsed];

/** Each argument by its own validator, and the arguments put together again. */
function refineEach(refined: readonly Argument[]): Refine {
  const settle = (args: Record<string, unknown>, outcomes: readonly Outcome[]): Parsed => {
    const violations = outcomes.flatMap(([name, parsed]) =>
      parsed.ok ? [] : parsed.violations.map((violation) => prefixed(violation, name)),
    );
    if (violations.length > 0) return { ok: false, violations };
    const values = new Map(outcomes.map(([name, parsed]) => [name, parsed.ok ? parsed.value : undefined]));
    const entries = Object.entries(args).map(([name, value]) => [name, values.has(name) ? values.get(name) : value]);
    return { ok: true, value: Object.fromEntries(entries) as Record<string, unknown> };
  };
  return (value) => {
    const args = isObject(value) ? value : {};
    const outcomes = refined
      .filter(({ name }) => Object.hasOwn(args, name))
      .map(({ name, refine }) => [name, refine?.(args[name], '') ?? { ok: true, value: args[name] }] as const);
    if (!outcomes.some(([, parsed]) => parsed instanceof Promise)) return settle(args, outcomes as readonly Outcome[]);
    return Promise.all(outcomes.map(async ([name, parsed]) => [name, await parsed] as const)).then((settled) =>
      settle(args, settled),
    );
  };
}

/**
 * The schema of a method that takes its arguments one by one: an object of them and nothing else. Throws `SchemaFault`
 * naming the argument.
 */
export function argumentsOf(parameters: readonly ArgumentParameter[]): ArgumentSchema {
  const properties = new Map<string, JsonSchema>();
  const refined: Argument[] = [];
  for (const parameter of parameters) {
    if (properties.has(parameter.name))
      throw new SchemaFault(`argument ${JSON.stringify(parameter.name)} is declared twice`);
    const argument = readArgument(parameter);
    properties.set(parameter.name, argument.schema);
    if (argument.refine !== undefined) refined.push(argument);
  }
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const wire = emitObject({
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  });
  return argumentSchema(wire, refined.length === 0 ? undefined : refineEach(refined));
}
