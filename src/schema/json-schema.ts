import { isObject } from '../protocol/json/json.js';
import { messageOf, SchemaFault } from './schema-fault.js';

/** A JSON Schema object; boolean schemas are `boolean`. */
export type JsonSchema = Record<string, unknown>;

/** Keywords whose value is a schema. */
const ONE = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** Keywords whose value is a list of schemas (`items` in draft-07 may be one). */
const LIST = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
/** Keywords whose value is a map of schemas (`dependencies` of draft-07 mixes schemas and lists of names). */
const MAP = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']);

/** Keywords that constrain nothing. */
const ANNOTATIONS = new Set([
  '$anchor',
  '$comment',
  '$defs',
  '$dynamicAnchor',
  '$id',
  '$schema',
  'default',
  'definitions',
  'deprecated',
  'description',
  'enumNames',
  'example',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
}

/** True for `true` and for schemas that constrain nothing. */
export function isAnySchema(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));
}

/** Direct subschemas that are objects, each with where it stands, e.g. `properties.a`. */
export function* subschemas(schema: JsonSchema): Generator<readonly [string, JsonSchema]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (Array.isArray(value)) {
      if (!LIST.has(keyword)) continue;
      for (const [index, entry] of value.entries()) if (isObject(entry)) yield [`${keyword}[${index}]`, entry];
    } else if (isObject(value)) {
      if (ONE.has(keyword)) yield [keyword, value];
      if (!MAP.has(keyword)) continue;
      for (const [name, entry] of Object.entries(value)) if (isObject(entry)) yield [`${keyword}.${name}`, entry];
    }
  }
}

/** A copy with every direct subschema, boolean ones included, replaced by what `map` makes of it. */
export function mapSubschemas(schema: JsonSchema, map: (schema: unknown) => unknown): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (Array.isArray(value)) return [keyword, LIST.has(keyword) ? value.map(map) : value];
    if (ONE.has(keyword) && (isObject(value) || typeof value === 'boolean')) return [keyword, map(value)];
    if (!MAP.has(keyword) || !isObject(value)) return [keyword, value];
    return [
      keyword,
      Object.fromEntries(
        Object.entries(value).map(([name, entry]) => [name, Array.isArray(entry) ? entry : map(entry)]),
      ),
    ];
  });
  return Object.fromEntries(entries);
}

/** Calls `visit` for the schema and everything inside it, with its place (`''` for the root). */
export function walk(schema: JsonSchema, visit: (schema: JsonSchema, place: string) => void, place = ''): void {
  visit(schema, place);
  for (const [where, inner] of subschemas(schema)) walk(inner, visit, place === '' ? where : `${place}.${where}`);
}

/** The schema as JSON carries it: no cycles, no functions, and nobody can change it afterwards. */
export function snapshot(schema: object): JsonSchema {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(schema));
  } catch (error) {
    throw new SchemaFault(`the schema is not JSON: ${messageOf(error)}`);
  }
  if (!isObject(copy)) throw new SchemaFault('the schema is not an object');
  return copy;
}

/** Follows `#` and `#/…` inside the document; undefined for anything else and for places that do not exist. */
export function resolvePointer(root: JsonSchema, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = decodePart(part);
    if (Array.isArray(place)) place = place[Number(key)];
    else if (isObject(place) && Object.hasOwn(place, key)) place = place[key];
    else return undefined;
  }
  return place;
}

function decodePart(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // Not percent-encoded: taken literally.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** True when a schema can reach itself through references (or through one we cannot follow, to be safe). */
export function isRecursive(root: JsonSchema): boolean {
  const done = new Set<JsonSchema>();
  const open = new Set<JsonSchema>();
  const visit = (schema: JsonSchema): boolean => {
    if (open.has(schema)) return true;
    if (done.has(schema)) return false;
    open.add(schema);
    const targets = [...subschemas(schema)].map(([, inner]) => inner);
    const ref = schema['$ref'];
    if (schema['$dynamicRef'] !== undefined) return true;
    if (typeof ref === 'string') {
      const target = resolvePointer(root, ref);
      if (isObject(target)) targets.push(target);
      else if (typeof target !== 'boolean') return true;
    }
    if (targets.some(visit)) return true;
    open.delete(schema);
    done.add(schema);
    return false;
  };
  return visit(root);
}
