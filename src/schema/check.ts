import type { ValidateFunction } from 'ajv';
import type { Violation } from '../protocol/catalog/entries.js';
import { ajvOf, dialectOf, type Dialect } from './dialects.js';
import { isRecursive, walk, type JsonSchema } from './json-schema.js';
import { requirePattern } from './patterns.js';
import { messageOf, SchemaFault } from './schema-fault.js';
import { violationsOf } from './violations.js';

/** Undefined when the value satisfies the schema, else what it breaks. `root` is the path of the value itself. */
export type Check = (value: unknown, root: string) => readonly Violation[] | undefined;

function at(place: string): string {
  return place === '' ? '' : ` at ${place}`;
}

function requireKnown(schema: JsonSchema, dialect: Dialect): void {
  const ajv = ajvOf(dialect, false);
  walk(schema, (node, place) => {
    for (const keyword of Object.keys(node)) {
      if (keyword.startsWith('x-')) ajv.RULES.keywords[keyword] = true;
      else if (ajv.RULES.keywords[keyword] !== true) throw new SchemaFault(`unknown keyword "${keyword}"${at(place)}`);
    }
    const { format, pattern, patternProperties } = node;
    if (typeof format === 'string' && ajv.formats[format] === undefined) {
      throw new SchemaFault(`unknown format "${format}"${at(place)}`);
    }
    if (typeof pattern === 'string') requirePattern(pattern, `pattern${at(place)}`);
    if (typeof patternProperties === 'object' && patternProperties !== null) {
      for (const key of Object.keys(patternProperties)) requirePattern(key, `patternProperties${at(place)}`);
    }
  });
}

function compile(schema: JsonSchema, dialect: Dialect, allErrors: boolean): ValidateFunction {
  const ajv = ajvOf(dialect, allErrors);
  walk(schema, (node) => {
    for (const keyword of Object.keys(node)) if (keyword.startsWith('x-')) ajv.RULES.keywords[keyword] = true;
  });
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw new SchemaFault(messageOf(error).replace(/^(strict mode|schema is invalid): (data\/?)?/, ''));
  } finally {
    // Nothing of one schema may be reachable from another, by `$id` or otherwise.
    ajv.removeSchema(schema);
  }
}

/** A value with more members than this is reported by its first broken rule only. */
const REPORTED_MEMBERS = 2_000;

function isSmall(value: unknown): boolean {
  let left = REPORTED_MEMBERS;
  const visit = (inner: unknown): boolean => {
    if (typeof inner !== 'object' || inner === null) return true;
    const members: unknown[] = Array.isArray(inner) ? inner : Object.values(inner);
    left -= members.length;
    return left >= 0 && members.every(visit);
  };
  return visit(value);
}

/**
 * Compiles a schema, at boot. A first pass that stops at the first broken rule decides; what a bad value breaks is then
 * listed rule by rule. The list is left out where it could grow with the caller's cleverness: for huge values, and for
 * recursive schemas, whose branches would be tried at every level at once.
 */
export function compileCheck(schema: JsonSchema): Check {
  const dialect = dialectOf(schema);
  requireKnown(schema, dialect);
  const decide = compile(schema, dialect, false);
  const recursive = isRecursive(schema);
  // The reporting compiler is made at boot, its part for this schema when first needed.
  if (!recursive) ajvOf(dialect, true);
  let report: ValidateFunction | undefined;
  return (value, root) => {
    if (decide(value)) return undefined;
    const first = decide.errors ?? [];
    if (recursive || !isSmall(value)) return violationsOf(first, value, root);
    report ??= compile(schema, dialect, true);
    report(value);
    return violationsOf(report.errors ?? first, value, root);
  };
}
