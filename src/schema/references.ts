import { isObject } from '../protocol/json/json.js';
import { conjoin } from './conjoin.js';
import { mapSubschemas, resolvePointer, subschemas, type JsonSchema } from './json-schema.js';
import { SchemaFault } from './schema-fault.js';

function targetOf(root: JsonSchema, ref: string): JsonSchema {
  const target = resolvePointer(root, ref);
  if (target === true) return {};
  if (target === false) return { not: {} };
  if (!isObject(target)) throw new SchemaFault(`$ref ${JSON.stringify(ref)} points nowhere`);
  return target;
}

/** References that lead back to themselves: only these stay references. */
function recursiveRefs(root: JsonSchema): ReadonlySet<string> {
  const direct = new Map<string, Set<string>>();
  const collect = (schema: JsonSchema, into: Set<string>): void => {
    if (typeof schema['$ref'] === 'string') into.add(schema['$ref']);
    for (const [where, inner] of subschemas(schema)) {
      if (!where.startsWith('$defs.') && !where.startsWith('definitions.')) collect(inner, into);
    }
  };
  const open = new Set<string>();
  collect(root, open);
  for (const ref of open) {
    const refs = new Set<string>();
    collect(targetOf(root, ref), refs);
    direct.set(ref, refs);
    for (const next of refs) open.add(next);
  }
  const reaches = (from: string, wanted: string, seen: Set<string>): boolean =>
    [...(direct.get(from) ?? [])].some((next) => {
      if (next === wanted) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, wanted, seen);
    });
  return new Set([...direct.keys()].filter((ref) => reaches(ref, ref, new Set())));
}

function nameOf(ref: string, taken: ReadonlySet<string>): string {
  const base = (ref.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_.-]/g, '_') || 'Root';
  const plain = base === '#' || base === '_' ? 'Root' : base;
  let name = plain;
  for (let copy = 2; taken.has(name); copy += 1) name = `${plain}${copy}`;
  return name;
}

/** A document bigger than this after inlining says that its shared parts share parts in turn, and so on. */
const MAX_NODES = 20_000;

/**
 * The schema with every reference replaced by what it points to: many clients do not follow references. True recursion
 * stays, as `#/$defs/…` in the definitions that come beside it.
 */
export function inlineReferences(root: JsonSchema): { readonly schema: JsonSchema; readonly defs: JsonSchema } {
  const recursive = recursiveRefs(root);
  const names = new Map<string, string>();
  for (const ref of recursive) names.set(ref, nameOf(ref, new Set(names.values())));
  let nodes = 0;

  const expand = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema;
    if ((nodes += 1) > MAX_NODES) throw new SchemaFault('the schema is too large once its references are inlined');
    const { $ref: ref, $defs: _defs, definitions: _definitions, ...rest } = schema;
    const own = mapSubschemas(rest, expand);
    if (typeof ref !== 'string') return own;
    const name = names.get(ref);
    if (name !== undefined) return { ...own, $ref: `#/$defs/${name}` };
    const target = expand(targetOf(root, ref));
    return conjoin(isObject(target) ? target : {}, own);
  };

  const body = (schema: JsonSchema): JsonSchema => {
    const expanded = expand(schema);
    return isObject(expanded) ? expanded : {};
  };
  const defs = Object.fromEntries([...names].map(([ref, name]) => [name, body(targetOf(root, ref))]));
  // A root that is a reference itself would hide its properties: its first level is written out.
  let schema: JsonSchema = root;
  for (let hops = 0; typeof schema['$ref'] === 'string' && names.has(schema['$ref']) && hops < 10; hops += 1) {
    schema = targetOf(root, schema['$ref']);
  }
  return { schema: body(schema), defs };
}
