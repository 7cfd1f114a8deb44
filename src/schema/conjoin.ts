import { isObject } from '../protocol/json/json.js';
import { canonicalText } from '../protocol/json/canonical.js';
import type { JsonSchema } from './json-schema.js';
import { SchemaFault } from './schema-fault.js';

const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
const TEXTS = new Set(['title', 'description', 'default', 'example', 'examples', 'deprecated']);

function typesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function commonTypes(a: unknown, b: unknown): unknown {
  const [left, right] = [typesOf(a), typesOf(b)];
  const common = left.flatMap((type) => {
    if (right.includes(type)) return [type];
    if (type === 'number' && right.includes('integer')) return ['integer'];
    return type === 'integer' && right.includes('number') ? ['integer'] : [];
  });
  if (common.length === 0) throw new SchemaFault(`types ${left.join(', ')} and ${right.join(', ')} exclude each other`);
  return common.length === 1 ? common[0] : common;
}

function same(a: unknown, b: unknown): boolean {
  return canonicalText(a) === canonicalText(b);
}

/** One schema that demands what both demand. */
export function conjoin(first: JsonSchema, second: JsonSchema): JsonSchema {
  const result: JsonSchema = { ...first };
  const apart: JsonSchema = {};
  for (const [keyword, value] of Object.entries(second)) {
    const held = result[keyword];
    if (held === undefined) result[keyword] = value;
    else if (same(held, value)) continue;
    else if (TEXTS.has(keyword)) result[keyword] = value;
    else if (keyword === 'type') result[keyword] = commonTypes(held, value);
    else if (LOWER.has(keyword)) result[keyword] = Math.max(Number(held), Number(value));
    else if (UPPER.has(keyword)) result[keyword] = Math.min(Number(held), Number(value));
    else if (keyword === 'items' && isObject(held) && isObject(value)) result[keyword] = conjoin(held, value);
    else if (keyword === 'required') result[keyword] = [...new Set([...typesOf(held), ...typesOf(value)])];
    else if (keyword === 'allOf') result[keyword] = [...typesOf(held), ...typesOf(value)];
    else apart[keyword] = value;
  }
  if (Object.keys(apart).length === 0) return result;
  return { ...result, allOf: [...(Array.isArray(result['allOf']) ? result['allOf'] : []), apart] };
}
