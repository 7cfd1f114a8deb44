import { isObject, type ReadonlyJsonObject } from '../json/json.js';

/** An argument that clients repeat in a request header (XHDR-01). */
export interface MirroredParameter {
  /** Whole header name, e.g. `Mcp-Param-Region`. */
  readonly header: string;
  /** Property names from the arguments inwards. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

export interface MirroredParameters {
  readonly parameters: readonly MirroredParameter[];
  /** What is wrong with the annotations of this schema; each makes the tool unusable over HTTP (XHDR-07). */
  readonly faults: readonly string[];
}

const ANNOTATION = 'x-mcp-header';
/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const SCHEMA_KEYWORDS = [
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
];
const LIST_KEYWORDS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const MAP_KEYWORDS = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties'];

/**
 * Finds the `x-mcp-header` annotations of a tool's input schema. They hold at properties that are reached from the root
 * through `properties` alone (XHDR-06), of type string, integer or boolean and no union (XHDR-04), with header tokens
 * (XHDR-02) that differ in more than case (XHDR-03). Everything else is a fault.
 */
export function findMirroredParameters(schema: ReadonlyJsonObject): MirroredParameters {
  const search = new Search();
  search.root(schema);
  return { parameters: search.parameters, faults: search.faults };
}

/** The argument at this path; undefined where it, or an object on the way, is missing. Own properties only. */
export function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

class Search {
  readonly parameters: MirroredParameter[] = [];
  readonly faults: string[] = [];
  private readonly names = new Set<string>();

  root(schema: ReadonlyJsonObject): void {
    if (Object.hasOwn(schema, ANNOTATION))
      this.faults.push(`${ANNOTATION} at the root of the schema: it belongs to a property`);
    this.below(schema, []);
  }

  /** `path` is undefined once the way led through anything but `properties`. */
  private below(schema: ReadonlyJsonObject, path: readonly string[] | undefined): void {
    if (isObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) {
        const inner = path && [...path, name];
        if (!isObject(property)) continue;
        if (Object.hasOwn(property, ANNOTATION)) this.annotated(property, name, inner);
        this.below(property, inner);
      }
    }
    for (const keyword of SCHEMA_KEYWORDS) this.beside(schema[keyword], keyword);
    for (const keyword of LIST_KEYWORDS) {
      const list = schema[keyword];
      if (Array.isArray(list)) for (const branch of list) this.beside(branch, keyword);
    }
    for (const keyword of MAP_KEYWORDS) {
      const map = schema[keyword];
      if (isObject(map)) for (const branch of Object.values(map)) this.beside(branch, keyword);
    }
  }

  private beside(branch: unknown, keyword: string): void {
    if (!isObject(branch)) return;
    if (Object.hasOwn(branch, ANNOTATION)) this.faults.push(unreachable(keyword));
    this.below(branch, undefined);
  }

  private annotated(property: ReadonlyJsonObject, name: string, path: readonly string[] | undefined): void {
    if (path === undefined) {
      this.faults.push(unreachable(`the property "${name}" of a subschema`));
      return;
    }
    const where = `${ANNOTATION} of "${path.join('.')}"`;
    const header = property[ANNOTATION];
    const { type } = property;
    if (typeof header !== 'string' || !TOKEN.test(header)) {
      this.faults.push(`${where} must be a non-empty HTTP token`);
    } else if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
      this.faults.push(`${where} needs the type string, integer or boolean, and no union`);
    } else if (this.names.has(header.toLowerCase())) {
      this.faults.push(`${where} repeats the header Mcp-Param-${header}`);
    } else {
      this.names.add(header.toLowerCase());
      this.parameters.push({ header: `Mcp-Param-${header}`, path, type });
    }
  }
}

function unreachable(where: string): string {
  return `${ANNOTATION} at ${where}: it must be reached from the root through "properties" alone`;
}
