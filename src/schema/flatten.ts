import { isObject } from '../protocol/json/json.js';
import { canonicalText } from '../protocol/json/canonical.js';
import type { JsonSchema } from './json-schema.js';

type Combinator = 'anyOf' | 'oneOf' | 'allOf';
const COMBINATORS: readonly Combinator[] = ['anyOf', 'oneOf', 'allOf'];

interface ObjectParts {
  readonly properties: Map<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Undefined when absent. */
  readonly additional: unknown;
}

function constantsOf(schema: unknown): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

/** What either schema allows. */
function either(a: unknown, b: unknown): unknown {
  if (canonicalText(a) === canonicalText(b)) return a;
  const [left, right] = [constantsOf(a), constantsOf(b)];
  if (left !== undefined && right !== undefined && isObject(a) && isObject(b)) {
    const values = [...new Set([...left, ...right])];
    const { const: _const, enum: _enum, ...rest } = a;
    return a['type'] === b['type'] ? { ...rest, enum: values } : { enum: values };
  }
  const branches = isObject(a) && Array.isArray(a['anyOf']) && Object.keys(a).length === 1 ? a['anyOf'] : [a];
  if (branches.some((branch) => canonicalText(branch) === canonicalText(b))) return { anyOf: branches };
  return { anyOf: [...branches, b] };
}

function both(a: unknown, b: unknown): unknown {
  return canonicalText(a) === canonicalText(b) ? a : { allOf: [a, b] };
}

function additionalOf(all: readonly unknown[]): unknown {
  if (all.every((value) => value === false)) return false;
  return all.some(isObject) ? {} : undefined;
}

function merge(parts: readonly ObjectParts[], combinator: Combinator): ObjectParts {
  const properties = new Map<string, unknown>();
  for (const part of parts) {
    for (const [name, schema] of part.properties) {
      const held = properties.get(name);
      const join = combinator === 'allOf' ? both : either;
      properties.set(name, held === undefined ? schema : join(held, schema));
    }
  }
  const names = [...new Set(parts.flatMap((part) => [...part.required]))];
  const required =
    combinator === 'allOf' ? names : names.filter((name) => parts.every((part) => part.required.has(name)));
  return { properties, required: new Set(required), additional: additionalOf(parts.map((part) => part.additional)) };
}

function resolve(schema: JsonSchema, defs: JsonSchema): JsonSchema {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/$defs/', '') : undefined;
  const target = name === undefined ? undefined : defs[name];
  return isObject(target) ? target : schema;
}

/** The parts of a schema all of whose branches are objects; undefined when some are not. */
function partsOf(reference: JsonSchema, defs: JsonSchema, depth = 0): ObjectParts | undefined {
  const schema = resolve(reference, defs);
  if (depth > 20) return undefined;
  const groups: ObjectParts[] = [];
  for (const combinator of COMBINATORS) {
    const branches = schema[combinator];
    if (!Array.isArray(branches)) continue;
    const parts = branches.map((branch: unknown) => (isObject(branch) ? partsOf(branch, defs, depth + 1) : undefined));
    if (parts.some((part) => part === undefined)) return undefined;
    groups.push(
      merge(
        parts.filter((part) => part !== undefined),
        combinator,
      ),
    );
  }
  const { type, properties, required, additionalProperties } = schema;
  if (type !== 'object' && (type !== undefined || groups.length === 0)) return undefined;
  if (isObject(properties) || type === 'object') {
    groups.push({
      properties: new Map(isObject(properties) ? Object.entries(properties) : []),
      required: new Set(Array.isArray(required) ? required.map(String) : []),
      additional: additionalProperties,
    });
  }
  return groups.length === 1 && groups[0] !== undefined ? groups[0] : merge(groups, 'allOf');
}

/**
 * A root union or intersection of objects as one object: merged properties, required what all branches of a union
 * require. It allows at least what the original allows; the source's own validator is the judge of the rest. Model APIs
 * refuse a whole list for one combinator at the root of a tool. Undefined when some branch is not an object.
 */
export function flattenRoot(schema: JsonSchema, defs: JsonSchema): JsonSchema | undefined {
  if (!COMBINATORS.some((combinator) => Array.isArray(schema[combinator]))) return undefined;
  const parts = partsOf(schema, defs);
  if (parts === undefined) return undefined;
  const { anyOf: _a, oneOf: _o, allOf: _all, additionalProperties: _additional, ...rest } = schema;
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(parts.properties),
    ...(parts.required.size === 0 ? {} : { required: [...parts.required] }),
    ...(parts.additional === undefined ? {} : { additionalProperties: parts.additional }),
  };
}
