import type { ArgumentSchema, PromptArgument } from '../protocol/catalog/entries.js';
import { isObject, type ReadonlyJsonObject } from '../protocol/json/json.js';
import { resolvePointer } from './json-schema.js';
import { SchemaFault } from './schema-fault.js';

/** True when nothing but strings satisfies the schema. */
function onlyStrings(schema: unknown, root: ReadonlyJsonObject, depth = 0): boolean {
  if (!isObject(schema) || depth > 20) return false;
  const { type, enum: values, anyOf, oneOf, allOf, $ref } = schema;
  if (type !== undefined) return type === 'string';
  if (Object.hasOwn(schema, 'const')) return typeof schema['const'] === 'string';
  if (Array.isArray(values)) return values.every((value) => typeof value === 'string');
  if (typeof $ref === 'string') return onlyStrings(resolvePointer({ ...root }, $ref), root, depth + 1);
  const inner = (branch: unknown): boolean => onlyStrings(branch, root, depth + 1);
  if (Array.isArray(allOf) && allOf.some(inner)) return true;
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) && branches.length > 0 && branches.every(inner);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * The arguments of a prompt as clients list them, out of its compiled schema (of `argumentsOf` or `compileArguments`).
 * Prompt arguments are strings on the wire: throws `SchemaFault` naming one that is not.
 */
export function promptArguments(input: ArgumentSchema): readonly PromptArgument[] {
  const { properties, required } = input.wire;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    if (!onlyStrings(schema, input.wire)) {
      throw new SchemaFault(`argument ${JSON.stringify(name)}: arguments of prompts are strings`);
    }
    const described = isObject(schema) ? schema : {};
    const title = text(described['title']);
    const description = text(described['description']);
    return {
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      required: names.includes(name),
    };
  });
}
