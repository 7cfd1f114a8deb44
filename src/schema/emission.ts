import { isObject } from '../protocol/json/json.js';
import { ajvOf } from './dialects.js';
import { flattenRoot } from './flatten.js';
import { mapSubschemas, snapshot, type JsonSchema } from './json-schema.js';
import { inlineReferences } from './references.js';
import { SchemaFault } from './schema-fault.js';

/** Keywords that identify a schema: of no use once everything is inlined. */
const IDENTITIES = new Set(['$schema', '$id', 'id', '$anchor']);

function hasType(schema: JsonSchema, type: string): boolean {
  const types = schema['type'];
  return Array.isArray(types) ? types.includes(type) : types === type;
}

/** One node in 2020-12 words, as picky clients want it; generators print words of other dialects and formats of their own. */
function tidy(node: unknown): unknown {
  if (!isObject(node)) return node;
  const own = Object.entries(node).filter(
    ([keyword, value]) => !IDENTITIES.has(keyword) && keyword !== 'nullable' && !isUnknownFormat(keyword, value),
  );
  let schema: JsonSchema = mapSubschemas(Object.fromEntries(own), tidy);
  if (Array.isArray(schema['items'])) {
    const { items, additionalItems, ...rest } = schema;
    schema = { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
  }
  if (node['nullable'] === true && typeof schema['type'] === 'string')
    schema = { ...schema, type: [schema['type'], 'null'] };
  if (hasType(schema, 'array') && schema['items'] === undefined && schema['prefixItems'] === undefined) {
    schema = { ...schema, items: {} };
  }
  return schema;
}

/** A format that only the source's own validator knows is left to it. */
function isUnknownFormat(keyword: string, value: unknown): boolean {
  return keyword === 'format' && typeof value === 'string' && ajvOf('2020-12', false).formats[value] === undefined;
}

function withDefs(schema: JsonSchema, defs: JsonSchema): JsonSchema {
  return Object.keys(defs).length === 0 ? schema : { ...schema, $defs: defs };
}

/** A generated schema as it is listed: inlined, tidied, a root union of objects flattened. Any type at the root. */
export function emit(generated: object): JsonSchema {
  const { schema, defs } = inlineReferences(snapshot(generated));
  const tidyDefs = Object.fromEntries(Object.entries(defs).map(([name, def]) => [name, tidy(def)]));
  const tidied = tidy(schema);
  const root = isObject(tidied) ? tidied : {};
  const flat = flattenRoot(root, tidyDefs) ?? root;
  if (flat['type'] !== 'object') return withDefs(flat, tidyDefs);
  const { type, properties, ...rest } = flat;
  return withDefs({ type, properties: properties ?? {}, ...rest }, tidyDefs);
}

/** The same for arguments, which are always an object. */
export function emitObject(generated: object): JsonSchema {
  const schema = emit(generated);
  if (schema['type'] !== 'object') throw new SchemaFault('the schema must describe an object');
  return schema;
}
