import type { ErrorObject } from 'ajv';
import type { Violation } from '../protocol/catalog/entries.js';
import { isObject } from '../protocol/json/json.js';
import { narrowUnions } from './union-errors.js';

const NAME_LENGTH = 100;
const LISTED = 50;
const ENUM_TEXT = 500;

/** Callers choose the names of what is not allowed, however long. */
function shortName(key: string | number): string {
  const name = String(key);
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name;
}

/**
 * Path along keys: `opts.mode`, `tags[1]`; without keys the root itself. The value tells positions of arrays from names.
 */
export function pathOf(keys: readonly (string | number)[], value: unknown, root: string): string {
  let path = '';
  let place = value;
  for (const key of keys) {
    const isArray = Array.isArray(place);
    if (isArray) path += `[${key}]`;
    else path += path === '' ? shortName(key) : `.${shortName(key)}`;
    place = isArray
      ? (place as unknown[])[Number(key)]
      : isObject(place) && Object.hasOwn(place, key)
        ? place[key]
        : undefined;
  }
  return path === '' ? root : path;
}

function pointerKeys(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function listed(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value)).join(', ');
  return text.length > ENUM_TEXT ? `${text.slice(0, ENUM_TEXT)}…` : text;
}

function count(limit: unknown, one: string, many: string): string {
  return `${String(limit)} ${limit === 1 ? one : many}`;
}

type Params = Readonly<Record<string, unknown>>;

/** Rule texts by keyword. They name what the schema wants and nothing of what the caller sent. */
const RULES: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) => `must be ${Array.isArray(type) ? type.join(' or ') : String(type).replaceAll(',', ' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${listed(Array.isArray(allowedValues) ? allowedValues : [])}`,
  const: ({ allowedValue }) => `must be ${listed([allowedValue])}`,
  minLength: ({ limit }) => `must have at least ${count(limit, 'character', 'characters')}`,
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character', 'characters')}`,
  minItems: ({ limit }) => `must have at least ${count(limit, 'item', 'items')}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, 'item', 'items')}`,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'property', 'properties')}`,
  maxProperties: ({ limit }) => `must have at most ${count(limit, 'property', 'properties')}`,
  uniqueItems: () => 'must not hold equal items',
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}`,
  format: ({ format }) => `must be a valid ${String(format)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  minimum: ({ limit }) => `must be >= ${String(limit)}`,
  maximum: ({ limit }) => `must be <= ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be > ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be < ${String(limit)}`,
  contains: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must contain at least ${count(minContains, 'matching item', 'matching items')}`
      : `must contain ${String(minContains)} to ${String(maxContains)} matching items`,
  anyOf: () => 'must match one of the allowed forms',
  oneOf: ({ passingSchemas }) =>
    Array.isArray(passingSchemas) ? 'must match only one of the allowed forms' : 'must match one of the allowed forms',
  not: () => 'must not have the excluded form',
  if: () => 'must meet the condition of the schema',
  'false schema': () => 'is not allowed',
  additionalItems: ({ limit }) => `must have at most ${count(limit, 'item', 'items')}`,
  items: ({ limit }) => `must have at most ${count(limit, 'item', 'items')}`,
  unevaluatedItems: ({ limit }) => `must have at most ${count(limit, 'item', 'items')}`,
};

function violationOf(error: ErrorObject, value: unknown, root: string): Violation {
  const keys = pointerKeys(error.instancePath);
  const params: Params = error.params;
  const member = (name: unknown, rule: string): Violation => ({
    path: pathOf([...keys, String(name)], value, root),
    rule,
  });
  switch (error.keyword) {
    case 'required':
      return member(params['missingProperty'], 'is required');
    case 'dependentRequired':
    case 'dependencies':
      return member(params['missingProperty'], `is required beside ${String(params['property'])}`);
    case 'additionalProperties':
      return member(params['additionalProperty'], 'is not allowed');
    case 'unevaluatedProperties':
      return member(params['unevaluatedProperty'], 'is not allowed');
    case 'propertyNames':
      return member(params['propertyName'], 'has a name that is not allowed');
    default:
      return {
        path: pathOf(keys, value, root),
        rule: RULES[error.keyword]?.(params) ?? error.message ?? `breaks ${error.keyword}`,
      };
  }
}

/** At most 50, and then how many are left. */
export function shortList(all: readonly Violation[], root: string): readonly Violation[] {
  if (all.length <= LISTED) return all;
  return [...all.slice(0, LISTED), { path: root, rule: `breaks ${all.length - LISTED} more rules` }];
}

/** One violation per broken rule. */
export function violationsOf(errors: readonly ErrorObject[], value: unknown, root: string): readonly Violation[] {
  const found = new Map<string, Violation>();
  for (const error of narrowUnions(errors)) {
    // The rule of the name is reported by `propertyNames` itself, the broken branch by what it demands.
    if (error.propertyName !== undefined && error.keyword !== 'propertyNames') continue;
    if (error.keyword === 'if' && errors.length > 1) continue;
    const violation = violationOf(error, value, root);
    found.set(`${violation.path} ${violation.rule}`, violation);
  }
  return shortList([...found.values()], root);
}
