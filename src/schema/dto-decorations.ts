import { isObject } from '../protocol/json/json.js';
import type { DtoClass } from './dto-metadata.js';
import type { JsonSchema } from './json-schema.js';

/** class-validator-jsonschema keeps what `@JSONSchema` says under a symbol of its own. */
const DESCRIPTION = 'class-validator-jsonschema:JSONSchema';

/** The schema with what `@JSONSchema({ … })` says of the class, or of one of its properties. */
export function decorate(schema: JsonSchema, dto: DtoClass, property?: string): JsonSchema {
  const place = property ?? dto.name;
  const key: unknown = Reflect.getMetadataKeys(dto, place).find(
    (candidate: unknown) => typeof candidate === 'symbol' && candidate.description === DESCRIPTION,
  );
  if (typeof key !== 'symbol') return schema;
  const said: unknown = Reflect.getMetadata(key, dto, place);
  // An author may compute the schema from the generated one.
  const made: unknown = typeof said === 'function' ? (said as (generated: JsonSchema) => unknown)(schema) : said;
  if (!isObject(made)) return schema;
  return typeof said === 'function' ? made : { ...schema, ...made };
}
