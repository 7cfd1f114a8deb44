import { isObject } from '../protocol/json/json.js';
import { resolvePointer, type JsonSchema } from './json-schema.js';
import { compilePattern, type Pattern } from './patterns.js';

/** Keeps the top-level keys that a schema declares. Returns the same object when there is nothing to drop. */
export type KeepAdmitted = (args: Record<string, unknown>) => Record<string, unknown>;

const BRANCHES = ['allOf', 'anyOf', 'oneOf'];
const CONDITIONS = ['if', 'then', 'else', '$ref', '$dynamicRef'];

interface Admitted {
  readonly names: Set<string>;
  readonly patterns: Pattern[];
  /** Some schema-valued `additionalProperties` admits whatever else comes. */
  all: boolean;
}

function collect(root: JsonSchema, schema: unknown, admitted: Admitted, seen: Set<unknown>): void {
  if (!isObject(schema) || seen.has(schema)) return;
  seen.add(schema);
  const { properties, patternProperties, additionalProperties, unevaluatedProperties, dependentSchemas } = schema;
  if (isObject(properties)) for (const name of Object.keys(properties)) admitted.names.add(name);
  if (isObject(patternProperties)) {
    for (const pattern of Object.keys(patternProperties)) admitted.patterns.push(compilePattern(pattern, 'u'));
  }
  if (isObject(additionalProperties) || isObject(unevaluatedProperties)) admitted.all = true;
  for (const keyword of BRANCHES) {
    const branches = schema[keyword];
    if (Array.isArray(branches)) for (const branch of branches) collect(root, branch, admitted, seen);
  }
  if (isObject(dependentSchemas))
    for (const branch of Object.values(dependentSchemas)) collect(root, branch, admitted, seen);
  for (const keyword of CONDITIONS) {
    const value = schema[keyword];
    collect(root, typeof value === 'string' ? resolvePointer(root, value) : value, admitted, seen);
  }
}

/** Keys that only an absent or `true` `additionalProperties` lets in are dropped before the method sees them. */
export function keepAdmitted(schema: JsonSchema): KeepAdmitted {
  const admitted: Admitted = { names: new Set(), patterns: [], all: false };
  collect(schema, schema, admitted, new Set());
  if (admitted.all || schema['additionalProperties'] === false) return (args) => args;
  const { names, patterns } = admitted;
  const isAdmitted = (key: string): boolean => names.has(key) || patterns.some((pattern) => pattern.test(key));
  return (args) => {
    for (const key in args) {
      if (!Object.hasOwn(args, key) || isAdmitted(key)) continue;
      // `fromEntries` defines own properties, so that a key named `__proto__` stays a key.
      return Object.fromEntries(Object.entries(args).filter(([name]) => isAdmitted(name)));
    }
    return args;
  };
}
