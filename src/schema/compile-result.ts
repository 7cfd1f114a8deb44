import type { ResultSchema } from '../protocol/catalog/entries.js';
import { compileCheck } from './check.js';
import { cut, DeclaredShape } from './declared-shape.js';
import { emit } from './emission.js';
import { Remembered } from './remembered.js';
import { readSource } from './sources.js';

const compiled = new WeakMap<object, ResultSchema>();
const byText = new Remembered<ResultSchema>();

/**
 * The schema of a structured result from a JSON Schema object, a class-validator class or a Standard Schema (its output
 * form). It takes plain JSON data. Any type at the root. Throws `SchemaFault` when it cannot be used.
 */
export function compileResult(source: unknown): ResultSchema {
  const key = (typeof source === 'object' && source !== null) || typeof source === 'function' ? source : undefined;
  const known = key === undefined ? undefined : compiled.get(key);
  if (known !== undefined) return known;
  const { written, schema } = readSource(source, 'output');
  const result = written ? byText.get(JSON.stringify(schema), () => resultSchema(schema)) : resultSchema(emit(schema));
  if (key !== undefined) compiled.set(key, result);
  return result;
}

function resultSchema(wire: ResultSchema['wire']): ResultSchema {
  const check = compileCheck(wire);
  const shape = new DeclaredShape(wire, [wire]);
  return {
    wire,
    parse(value) {
      const kept = cut(value, shape);
      const violations = check(kept, 'result');
      return violations === undefined ? { ok: true, value: kept } : { ok: false, violations };
    },
  };
}
