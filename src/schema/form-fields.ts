import { isObject, type JsonObject } from '../protocol/json/json.js';
import { isAnnotation, type JsonSchema } from './json-schema.js';
import { SchemaFault } from './schema-fault.js';

/** A field of a form, as revisions with rich forms know it, and as 2025-06-18 does (undefined: not at all). */
export interface FormField {
  readonly rich: JsonObject;
  readonly plain: JsonObject | undefined;
}

const TEXTS = ['title', 'description'];
const FORMATS = new Set<unknown>(['email', 'uri', 'date', 'date-time']);
/** What a field of each type may say (ELIC-06). */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['type', ...TEXTS, 'minLength', 'maxLength', 'format', 'default'],
  number: ['type', ...TEXTS, 'minimum', 'maximum', 'default'],
  integer: ['type', ...TEXTS, 'minimum', 'maximum', 'default'],
  boolean: ['type', ...TEXTS, 'default'],
  choice: ['type', ...TEXTS, 'enum', 'enumNames', 'const', 'oneOf', 'anyOf', 'default', 'minLength', 'maxLength'],
  choices: ['type', ...TEXTS, 'items', 'minItems', 'maxItems', 'uniqueItems', 'default'],
};

function pick(schema: JsonSchema, keywords: readonly string[]): JsonObject {
  // The schema is a snapshot of JSON, so its members are JSON values.
  return Object.fromEntries(
    keywords.filter((name) => Object.hasOwn(schema, name)).map((name) => [name, schema[name]]),
  ) as JsonObject;
}

interface Choice {
  readonly value: string;
  readonly title: string | undefined;
}

function strings(values: readonly unknown[], titles: unknown): readonly Choice[] | undefined {
  const names: readonly unknown[] = Array.isArray(titles) ? titles : [];
  const choices = values.flatMap((value, index): Choice[] => {
    const title = names[index];
    return typeof value === 'string' ? [{ value, title: typeof title === 'string' ? title : undefined }] : [];
  });
  return choices.length === values.length && choices.length > 0 ? choices : undefined;
}

/** The strings a schema lets choose from: `enum`, `const`, or branches of `const` with a title (ELIC-08). */
function choicesOf(schema: JsonSchema): readonly Choice[] | undefined {
  if (Array.isArray(schema['enum'])) return strings(schema['enum'], schema['enumNames']);
  if (Object.hasOwn(schema, 'const')) return strings([schema['const']], [schema['title']]);
  const branches: unknown = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(branches)) return undefined;
  const choices = branches.map((branch: unknown) =>
    isObject(branch) && Object.hasOwn(branch, 'const') ? choicesOf(branch)?.[0] : undefined,
  );
  const known = choices.filter((choice) => choice !== undefined);
  return known.length === branches.length && known.length > 0 ? known : undefined;
}

function isTitled(choices: readonly Choice[]): boolean {
  return choices.some(({ title }) => title !== undefined);
}

function titled(choices: readonly Choice[]): JsonObject[] {
  return choices.map(({ value, title }) => ({ const: value, title: title ?? value }));
}

function choiceField(schema: JsonSchema, choices: readonly Choice[]): FormField {
  const texts = { type: 'string', ...pick(schema, TEXTS) };
  const untitled = { enum: choices.map(({ value }) => value) };
  const named = isTitled(choices) && !Object.hasOwn(schema, 'const');
  const legacy = named ? { ...untitled, enumNames: choices.map(({ value, title }) => title ?? value) } : untitled;
  // Who wrote `enumNames` gets it: it is legal in rich forms as well (ELIC-08).
  const rich = named && !Object.hasOwn(schema, 'enumNames') ? { oneOf: titled(choices) } : legacy;
  return { rich: { ...texts, ...rich, ...pick(schema, ['default']) }, plain: { ...texts, ...legacy } };
}

function choicesField(schema: JsonSchema, choices: readonly Choice[]): FormField {
  const items: JsonObject = isTitled(choices)
    ? { anyOf: titled(choices) }
    : { type: 'string', enum: choices.map(({ value }) => value) };
  return {
    rich: { type: 'array', ...pick(schema, [...TEXTS, 'minItems', 'maxItems']), items, ...pick(schema, ['default']) },
    plain: undefined,
  };
}

function kindOf(schema: JsonSchema): readonly [kind: string, choices?: readonly Choice[]] {
  const { type, items } = schema;
  if (type === 'array') {
    const choices = isObject(items) ? choicesOf(items) : undefined;
    if (choices !== undefined) return ['choices', choices];
    throw new SchemaFault('a list in a form must be of choices: items with enum or anyOf of const');
  }
  const choices = type === undefined || type === 'string' ? choicesOf(schema) : undefined;
  if (choices !== undefined) return ['choice', choices];
  if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') return [type];
  throw new SchemaFault('a field of a form must be a string, number, integer, boolean, a choice or a list of choices');
}

/**
 * A property as a field of a form. `written`: by hand, so that nothing may be left out silently; what a generator prints
 * beyond a form's words is left out and still enforced on the answer.
 */
export function formField(schema: unknown, written: boolean): FormField {
  if (!isObject(schema)) throw new SchemaFault('a field of a form must be a schema object');
  const [kind, choices] = kindOf(schema);
  const keywords = KEYWORDS[kind] ?? [];
  if (written) {
    const foreign = Object.keys(schema).find((keyword) => !keywords.includes(keyword) && !isAnnotation(keyword));
    if (foreign !== undefined) throw new SchemaFault(`keyword "${foreign}" does not exist in forms`);
  }
  if (choices !== undefined) return kind === 'choice' ? choiceField(schema, choices) : choicesField(schema, choices);
  const { format, ...rest } = schema;
  const known = FORMATS.has(format);
  if (written && format !== undefined && !known)
    throw new SchemaFault(`format ${JSON.stringify(format)} does not exist in forms`);
  const rich = pick(known ? { ...rest, format } : rest, keywords);
  const { default: preset, ...plain } = rich;
  // `default` came to other types than booleans later (ELIC-07).
  return { rich, plain: kind === 'boolean' && preset !== undefined ? { ...plain, default: preset } : plain };
}
