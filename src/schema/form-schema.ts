import { canonicalText } from '../protocol/json/canonical.js';
import type { Parsed } from '../protocol/catalog/entries.js';
import { ErrorCode, McpError } from '../protocol/errors.js';
import { isObject, type JsonObject } from '../protocol/json/json.js';
import type { FormSchema } from '../protocol/server-options.js';
import { keepAdmitted } from './admitted-keys.js';
import { compileCheck } from './check.js';
import { emitObject } from './emission.js';
import { formField, type FormField } from './form-fields.js';
import { isAnnotation, type JsonSchema } from './json-schema.js';
import { Remembered } from './remembered.js';
import { messageOf, SchemaFault } from './schema-fault.js';
import { readSource, type Refine } from './sources.js';

/** Path of the filled-in form itself. */
const CONTENT = 'content';

/** What the root of a form may hold beside annotations (ELIC-05). */
const ROOT = new Set(['type', 'properties', 'required', 'additionalProperties']);

interface Parts {
  readonly wire: JsonObject;
  readonly plainWire: JsonObject | undefined;
  parse(content: unknown): Parsed;
}

function fieldsOf(schema: JsonSchema, written: boolean): readonly (readonly [string, FormField])[] {
  const { type, properties } = schema;
  if (type !== 'object' || !isObject(properties)) throw new SchemaFault('a form must be an object with properties');
  const foreign = Object.keys(schema).find((keyword) => !ROOT.has(keyword) && !isAnnotation(keyword));
  if (foreign !== undefined) throw new SchemaFault(`keyword "${foreign}" does not exist at the root of a form`);
  return Object.entries(properties).map(([name, field]) => {
    try {
      return [name, formField(field, written)];
    } catch (error) {
      throw new SchemaFault(`property ${name}: ${messageOf(error)}`);
    }
  });
}

function compileParts(schema: JsonSchema, written: boolean): Parts {
  const fields = fieldsOf(schema, written);
  const check = compileCheck(schema);
  const keep = keepAdmitted(schema);
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const form = (properties: readonly (readonly [string, JsonObject])[]): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  });
  const plain = fields.flatMap(([name, field]): [string, JsonObject][] =>
    field.plain === undefined ? [] : [[name, field.plain]],
  );
  return {
    wire: form(fields.map(([name, field]) => [name, field.rich])),
    plainWire: plain.length === fields.length ? form(plain) : undefined,
    parse(content) {
      const violations = check(content, CONTENT);
      if (violations !== undefined) return { ok: false, violations };
      return { ok: true, value: isObject(content) ? keep(content) : content };
    },
  };
}

const partsByText = new Remembered<Parts>();

function partsOf(schema: JsonSchema, written: boolean): Parts {
  return partsByText.get(`${written} ${canonicalText(schema)}`, () => compileParts(schema, written));
}

function formSchema({ wire, plainWire, parse }: Parts, refine: Refine | undefined): FormSchema {
  return {
    wire,
    get plainWire() {
      if (plainWire !== undefined) return plainWire;
      throw new McpError(ErrorCode.InternalError, 'Revision 2025-06-18 has no lists of choices in forms');
    },
    parse(content) {
      const parsed = parse(content);
      return parsed.ok && refine !== undefined ? refine(parsed.value, CONTENT) : parsed;
    },
  };
}

const compiled = new WeakMap<object, FormSchema>();

/**
 * The form of an elicitation from a JSON Schema object, a class-validator class or a Standard Schema: a flat object of
 * strings, numbers, booleans, choices and lists of choices. Throws `SchemaFault` for anything else.
 */
export function compileForm(source: unknown): FormSchema {
  const key = (typeof source === 'object' && source !== null) || typeof source === 'function' ? source : undefined;
  const known = key === undefined ? undefined : compiled.get(key);
  if (known !== undefined) return known;
  const { written, schema, refine } = readSource(source, 'input');
  const form = formSchema(partsOf(written ? schema : emitObject(schema), written), refine);
  if (key !== undefined) compiled.set(key, form);
  return form;
}
