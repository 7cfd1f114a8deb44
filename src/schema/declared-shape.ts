import { isObject } from '../protocol/json/json.js';
import { isAnySchema, resolvePointer, type JsonSchema } from './json-schema.js';
import { compilePattern, type Pattern } from './patterns.js';

const BRANCHES = ['allOf', 'anyOf', 'oneOf'];
const CONDITIONS = ['if', 'then', 'else', '$ref', '$dynamicRef'];

/** All schemas that may have a say about one value: the schema and the branches of its combinators. */
function expand(root: JsonSchema, schema: unknown, into: Set<JsonSchema>): void {
  const node = schema === true ? {} : schema;
  if (!isObject(node) || into.has(node)) return;
  into.add(node);
  for (const keyword of BRANCHES) {
    const branches = node[keyword];
    if (Array.isArray(branches)) for (const branch of branches) expand(root, branch, into);
  }
  const { dependentSchemas } = node;
  if (isObject(dependentSchemas)) for (const branch of Object.values(dependentSchemas)) expand(root, branch, into);
  for (const keyword of CONDITIONS) {
    const value = node[keyword];
    if (value === undefined) continue;
    expand(root, typeof value === 'string' ? resolvePointer(root, value) : value, into);
  }
}

/** What a schema declares about one value, branches of combinators taken together. */
export class DeclaredShape {
  readonly #schemas: readonly JsonSchema[];
  readonly #patterns: readonly (readonly [Pattern, unknown])[];
  readonly #names = new Map<string, DeclaredShape>();
  #items: DeclaredShape | undefined;
  /** Nothing is said about the value: it passes whole. */
  readonly isAny: boolean;
  /** Some branch says `additionalProperties: true`. */
  readonly isOpen: boolean;

  constructor(
    private readonly root: JsonSchema,
    declared: readonly unknown[],
  ) {
    const schemas = new Set<JsonSchema>();
    for (const schema of declared) expand(root, schema, schemas);
    this.#schemas = [...schemas];
    this.isAny = this.#schemas.length > 0 && this.#schemas.every(isAnySchema);
    this.isOpen = this.#schemas.some(
      (schema) => schema['additionalProperties'] === true || schema['unevaluatedProperties'] === true,
    );
    this.#patterns = this.#schemas.flatMap(({ patternProperties }) =>
      isObject(patternProperties)
        ? Object.entries(patternProperties).map(([source, schema]) => [compilePattern(source, 'u'), schema] as const)
        : [],
    );
  }

  /** What is declared about a property; undefined when no branch declares it. */
  property(name: string): DeclaredShape | undefined {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const named: unknown[] = [];
    const other: unknown[] = [];
    for (const { properties, additionalProperties, unevaluatedProperties } of this.#schemas) {
      if (isObject(properties) && Object.hasOwn(properties, name)) named.push(properties[name]);
      else if (isObject(additionalProperties)) other.push(additionalProperties);
      else if (isObject(unevaluatedProperties)) other.push(unevaluatedProperties);
    }
    const matching = this.#patterns.filter(([pattern]) => pattern.test(name)).map(([, schema]) => schema);
    const declared = [...named, ...matching, ...other].filter((schema) => schema !== false);
    if (declared.length === 0) return undefined;
    const shape = new DeclaredShape(this.root, declared);
    // Only declared names are remembered: others come from the data, without end.
    if (named.length > 0) this.#names.set(name, shape);
    return shape;
  }

  /** What is declared about an item. */
  item(index: number): DeclaredShape {
    const prefixes = this.#schemas.flatMap(({ prefixItems, items }) => {
      const list: unknown = Array.isArray(items) ? items : prefixItems;
      return Array.isArray(list) && index < list.length ? [list[index] as unknown] : [];
    });
    if (prefixes.length > 0) return new DeclaredShape(this.root, prefixes);
    const items = this.#schemas.flatMap(({ items: list, additionalItems, unevaluatedItems }) =>
      [Array.isArray(list) ? additionalItems : list, unevaluatedItems].filter((schema) => schema !== undefined),
    );
    return (this.#items ??= new DeclaredShape(this.root, items.length === 0 ? [true] : items));
  }
}

/** The value without what the shape does not declare; the same value when nothing is cut. */
export function cut(value: unknown, shape: DeclaredShape): unknown {
  if (typeof value !== 'object' || value === null || shape.isAny) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => cut(item, shape.item(index)));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  let changed = false;
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const declared = shape.property(name);
    if (declared === undefined && !shape.isOpen) {
      changed = true;
      continue;
    }
    const inner: unknown = declared === undefined ? member : cut(member, declared);
    if (inner !== member) changed = true;
    kept.push([name, inner]);
  }
  return changed ? Object.fromEntries(kept) : value;
}
