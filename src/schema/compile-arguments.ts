import type { ArgumentSchema } from '../protocol/catalog/entries.js';
import { keepAdmitted } from './admitted-keys.js';
import { compileCheck } from './check.js';
import { emitObject } from './emission.js';
import type { JsonSchema } from './json-schema.js';
import { Remembered } from './remembered.js';
import { SchemaFault } from './schema-fault.js';
import { readSource, type Refine } from './sources.js';

/** Path of the arguments object itself. */
export const ARGUMENTS = 'arguments';

const NO_INPUT: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

const compiled = new WeakMap<object, ArgumentSchema>();
// In the order of its members: a schema is listed as it was written.
const byText = new Remembered<ArgumentSchema>();

/** An argument schema out of the schema as it is listed and the source's own validator. */
export function argumentSchema(wire: JsonSchema, refine: Refine | undefined): ArgumentSchema {
  const check = compileCheck(wire);
  const keep = keepAdmitted(wire);
  return {
    wire,
    parse(args) {
      const violations = check(args, ARGUMENTS);
      if (violations !== undefined) return { ok: false, violations };
      const kept = keep(args);
      return refine === undefined ? { ok: true, value: kept } : refine(kept, ARGUMENTS);
    },
  };
}

function compile(source: unknown): ArgumentSchema {
  const { written, schema, refine } = readSource(source, 'input');
  if (!written) return argumentSchema(emitObject(schema), refine);
  if (schema['type'] !== 'object') throw new SchemaFault('the schema must have type "object" at its root');
  return byText.get(JSON.stringify(schema), () => argumentSchema(schema, undefined));
}

/**
 * The schema of arguments from a JSON Schema object, a class-validator class or a Standard Schema; `undefined` takes no
 * arguments. The same source, or a hand-written one of the same text, gives the same object. Throws `SchemaFault` when it
 * cannot be used.
 */
export function compileArguments(source: unknown): ArgumentSchema {
  const key: object =
    (typeof source === 'object' && source !== null) || typeof source === 'function' ? source : NO_INPUT;
  let schema = compiled.get(key);
  if (schema === undefined) {
    schema = compile(source === undefined ? NO_INPUT : source);
    compiled.set(key, schema);
  }
  return schema;
}
