import type { Parsed, Violation } from '../protocol/catalog/entries.js';
import { isObject } from '../protocol/json/json.js';
import type { JsonSchema } from './json-schema.js';
import { loadOptional } from './optional-packages.js';
import { messageOf, SchemaFault } from './schema-fault.js';
import { pathOf, shortList } from './violations.js';

type Direction = 'input' | 'output';
type Print = (options: { readonly target: string; readonly libraryOptions?: object }) => JsonSchema;

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  /** Valibot: the value as text, what was wanted. ArkType has `actual` for the former. */
  readonly received?: unknown;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

type Validated = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** The part of Standard Schema, and of its JSON Schema extension, that is used. */
export interface StandardSchema {
  readonly '~standard': {
    readonly vendor: string;
    validate(value: unknown): Validated | Promise<Validated>;
    readonly jsonSchema?: Readonly<Record<Direction, Print>>;
  };
  readonly toJSONSchema?: (options: { readonly io: Direction; readonly target: string }) => JsonSchema;
}

export function isStandardSchema(source: unknown): source is StandardSchema {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) return false;
  const standard: unknown = Reflect.get(source, '~standard');
  return isObject(standard) && typeof standard['validate'] === 'function';
}

interface ValibotAction {
  readonly valibotAction: { readonly kind: string };
  readonly jsonSchema: JsonSchema;
  readonly errors?: readonly string[];
}

/** A check that JSON Schema cannot say is left to Valibot; a transformation that it cannot say stays an error. */
const VALIBOT = {
  overrideAction: ({ valibotAction, jsonSchema, errors }: ValibotAction): JsonSchema | undefined =>
    errors !== undefined && valibotAction.kind === 'validation' ? jsonSchema : undefined,
};

interface ValibotPrinter {
  toStandardJsonSchema(schema: StandardSchema): StandardSchema;
}

function printed(source: StandardSchema, direction: Direction): JsonSchema {
  const { jsonSchema, vendor } = source['~standard'];
  const target = 'draft-2020-12';
  const options = vendor === 'valibot' ? { target, libraryOptions: VALIBOT } : { target };
  if (jsonSchema !== undefined) return jsonSchema[direction](options);
  if (typeof source.toJSONSchema === 'function') return source.toJSONSchema({ io: direction, target });
  if (vendor === 'valibot') {
    const { toStandardJsonSchema } = loadOptional<ValibotPrinter>('@valibot/to-json-schema', 'a Valibot schema');
    const printer = toStandardJsonSchema(source)['~standard'].jsonSchema;
    if (printer !== undefined) return printer[direction](options);
  }
  throw new SchemaFault(`this ${vendor} schema cannot print itself as JSON Schema`);
}

/** The schema as its library prints it: `input` is what it takes, `output` what it makes of it. */
export function printStandard(source: StandardSchema, direction: Direction): JsonSchema {
  try {
    return printed(source, direction);
  } catch (error) {
    if (error instanceof SchemaFault) throw error;
    throw new SchemaFault(`the ${source['~standard'].vendor} schema has no JSON Schema form: ${messageOf(error)}`);
  }
}

/** The issue's own text, unless it repeats the caller's value: then what was wanted. */
function ruleOf({ message, received, actual, expected }: Issue): string {
  const repeated = [received, actual].some((text) => typeof text === 'string' && message.includes(text));
  if (!repeated) return message;
  return typeof expected === 'string' ? `must be ${expected}` : 'is not valid';
}

function toParsed(validated: Validated, value: unknown, root: string): Parsed {
  if (validated.issues === undefined) return { ok: true, value: validated.value };
  const violations = validated.issues.map((issue): Violation => {
    const keys = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
    return {
      path: pathOf(
        keys.map((key) => (typeof key === 'symbol' ? String(key) : key)),
        value,
        root,
      ),
      rule: ruleOf(issue),
    };
  });
  return { ok: false, violations: shortList(violations, root) };
}

/** Runs the library's own validation; its output is what is handed on. */
export function validateStandard(source: StandardSchema, value: unknown, root: string): Parsed | Promise<Parsed> {
  const validated = source['~standard'].validate(value);
  return validated instanceof Promise
    ? validated.then((settled) => toParsed(settled, value, root))
    : toParsed(validated, value, root);
}
