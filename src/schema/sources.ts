import type { Parsed } from '../protocol/catalog/entries.js';
import { isObject } from '../protocol/json/json.js';
import { isClass } from './dto-metadata.js';
import { printDto } from './dto-schema.js';
import { dtoValidation } from './dto-validation.js';
import { snapshot, type JsonSchema } from './json-schema.js';
import { SchemaFault } from './schema-fault.js';
import { isStandardSchema, printStandard, validateStandard } from './standard-schema.js';

/** The source's own validator: refuses more than the schema can say, or transforms. */
export type Refine = (value: unknown, root: string) => Parsed | Promise<Parsed>;

/** What a schema source comes down to. */
export interface Source {
  /** Written by hand: listed as it is. Else generated, and made fit for listing. */
  readonly written: boolean;
  readonly schema: JsonSchema;
  readonly refine?: Refine;
}

/** Tells the kinds of source apart: Standard Schema (some are functions), class-validator class, JSON Schema object. */
export function readSource(source: unknown, direction: 'input' | 'output'): Source {
  if (isStandardSchema(source)) {
    return {
      written: false,
      schema: printStandard(source, direction),
      refine: (value, root) => validateStandard(source, value, root),
    };
  }
  if (isClass(source)) {
    const schema = printDto(source, direction);
    return direction === 'output'
      ? { written: false, schema }
      : { written: false, schema, refine: dtoValidation(source) };
  }
  if (isObject(source)) return { written: true, schema: snapshot(source) };
  throw new SchemaFault('the schema must be a JSON Schema object, a class-validator class or a Standard Schema');
}
