import { isObject } from '../protocol/json/json.js';
import { kindOf, type RuleMetadata } from './dto-metadata.js';
import type { JsonSchema } from './json-schema.js';
import { loadOptional } from './optional-packages.js';

interface Printer {
  validationMetadataArrayToSchemas(
    rules: readonly unknown[],
  ): Record<string, { readonly properties?: Record<string, JsonSchema> }>;
}

const DATES: JsonSchema = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };

function escaped(text: unknown): string {
  return String(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function values(list: unknown): unknown[] {
  if (Array.isArray(list)) return list;
  return isObject(list) ? Object.values(list) : [];
}

/** A numeric enum of TypeScript maps its numbers back to names; only what the names stand for is meant. */
function enumValues(declared: unknown): unknown[] {
  if (!isObject(declared)) return values(declared);
  return Object.entries(declared)
    .filter(([name]) => Number.isNaN(Number(name)))
    .map(([, value]) => value);
}

function matches([pattern, modifiers]: readonly unknown[]): JsonSchema {
  const flags = pattern instanceof RegExp ? pattern.flags : typeof modifiers === 'string' ? modifiers : '';
  const source = pattern instanceof RegExp ? pattern.source : String(pattern);
  // JSON Schema has no flags and reads patterns in Unicode mode: what it cannot say is left to class-validator.
  const sayable = !/[imsv]/.test(flags) && isUnicodePattern(source);
  return { type: 'string', ...(sayable ? { pattern: source } : {}) };
}

function isUnicodePattern(source: string): boolean {
  try {
    void new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Rules that class-validator-jsonschema prints wrongly, too loosely or in a way that hides the type. */
const RULES: Readonly<Record<string, (constraints: readonly unknown[]) => JsonSchema>> = {
  whitelistValidation: () => ({}),
  conditionalValidation: () => ({}),
  isDefined: () => ({}),
  isNotEmpty: () => ({}),
  isEmpty: () => ({ enum: ['', null] }),
  equals: ([value]) => ({ const: value }),
  notEquals: ([value]) => ({ not: { const: value } }),
  isIn: ([list]) => ({ enum: values(list) }),
  isNotIn: ([list]) => ({ not: { enum: values(list) } }),
  isEnum: ([declared]) => ({ enum: enumValues(declared) }),
  isDate: () => DATES,
  minDate: () => DATES,
  maxDate: () => DATES,
  isDateString: () => DATES,
  isIso8601: () => DATES,
  isRFC3339: () => ({ type: 'string', format: 'date-time' }),
  isIp: ([version]) => ({
    type: 'string',
    ...(version === undefined
      ? { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }
      : { format: String(version) === '6' ? 'ipv6' : 'ipv4' }),
  }),
  isUrl: ([options]) => ({
    type: 'string',
    ...(isObject(options) && options['require_protocol'] === true ? { format: 'uri' } : {}),
  }),
  isNumberString: () => ({ type: 'string' }),
  isHexColor: () => ({ type: 'string', pattern: '^#?([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$' }),
  isHexadecimal: () => ({ type: 'string', pattern: '^(0[xXhH])?[0-9a-fA-F]+$' }),
  isMilitaryTime: () => ({ type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
  isAlpha: () => ({ type: 'string' }),
  isAlphanumeric: () => ({ type: 'string' }),
  isSurrogatePair: () => ({ type: 'string' }),
  isFullWidth: () => ({ type: 'string' }),
  isHalfWidth: () => ({ type: 'string' }),
  contains: ([seed]) => ({ type: 'string', pattern: escaped(seed) }),
  notContains: ([seed]) => ({ type: 'string', not: { pattern: escaped(seed) } }),
  matches,
  arrayContains: () => ({ type: 'array' }),
  arrayNotContains: () => ({ type: 'array' }),
  arrayNotEmpty: () => ({ type: 'array', minItems: 1 }),
  arrayMinSize: ([size]) => ({ type: 'array', minItems: size }),
  arrayMaxSize: ([size]) => ({ type: 'array', maxItems: size }),
  // With an identifier function, what is unique is only known to class-validator.
  arrayUnique: ([identifier]) => ({
    type: 'array',
    ...(typeof identifier === 'function' ? {} : { uniqueItems: true }),
  }),
  isArray: () => ({ type: 'array' }),
};

function print(rule: RuleMetadata, kind: string): JsonSchema {
  const printer = loadOptional<Printer>('class-validator-jsonschema', 'a DTO class');
  const [schema] = Object.values(
    printer.validationMetadataArrayToSchemas([{ ...rule, type: kind, each: false, target: Anonymous }]),
  );
  const property = schema?.properties?.[rule.propertyName] ?? {};
  // A reference is its guess for a rule it does not know.
  return Object.hasOwn(property, '$ref') ? {} : property;
}

/** Keeps the printer from reading anything of the class itself. */
class Anonymous {}

/** What one rule of class-validator demands, in JSON Schema. */
export function printRule(rule: RuleMetadata): JsonSchema {
  const kind = kindOf(rule);
  const schema = RULES[kind]?.(rule.constraints ?? []) ?? print(rule, kind);
  return rule.each ? { type: 'array', items: schema } : schema;
}
