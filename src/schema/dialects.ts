import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { canonicalText } from '../protocol/json/canonical.js';
import { compilePattern } from './patterns.js';
import { SchemaFault } from './schema-fault.js';
import type { JsonSchema } from './json-schema.js';

export type Dialect = '2020-12' | 'draft-07';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
]);

/** JSON Schema 2020-12 unless `$schema` says draft-07 (BASE-26). */
export function dialectOf(schema: JsonSchema): Dialect {
  const label = schema['$schema'];
  if (label === undefined) return '2020-12';
  const dialect = typeof label === 'string' ? DIALECTS.get(label.replace(/#$/, '')) : undefined;
  if (dialect === undefined) throw new SchemaFault(`$schema ${JSON.stringify(label)} is neither 2020-12 nor draft-07`);
  return dialect;
}

/** Annotations of the field that Ajv does not know by itself; `x-…` keys are added as they are met. */
const ANNOTATIONS = ['$anchor', '$dynamicAnchor', 'enumNames', 'example', 'discriminator'];

function options(allErrors: boolean): Options {
  return {
    strictSchema: true,
    strictNumbers: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    ownProperties: true,
    allowUnionTypes: true,
    // A property that a pattern matches as well is plain JSON Schema: both apply.
    allowMatchingProperties: true,
    allErrors,
    // Reports are only asked of schemas that were already accepted.
    validateSchema: !allErrors,
    verbose: true,
    logger: false,
    code: { regExp: Object.assign(compilePattern, { code: 'new RegExp' }) },
  };
}

function isDistinct(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    // A prefix keeps the text of an object apart from a string of the same letters.
    seen.add(
      typeof item === 'object' && item !== null
        ? `{}${canonicalText(item)}`
        : typeof item === 'string'
          ? `"${item}`
          : item,
    );
  }
  return seen.size === items.length;
}

function create(dialect: Dialect, allErrors: boolean): Ajv {
  const ajv: Ajv = dialect === 'draft-07' ? new Ajv(options(allErrors)) : new Ajv2020(options(allErrors));
  formats.default(ajv);
  for (const keyword of ANNOTATIONS) if (ajv.getKeyword(keyword) === false) ajv.addKeyword(keyword);
  // Ajv compares every pair of objects: with a body of megabytes that blocks the process. This one is linear.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (wanted: boolean) => (wanted ? isDistinct : () => true),
  });
  return ajv;
}

/** An instance keeps constants of every schema it compiled; now and then a fresh one lets them go. */
const COMPILATIONS = 500;
const instances = new Map<string, { readonly ajv: Ajv; left: number }>();

/** The compiler of a dialect. `allErrors`: report every broken rule, else stop at the first. */
export function ajvOf(dialect: Dialect, allErrors: boolean): Ajv {
  const key = `${dialect} ${allErrors}`;
  let instance = instances.get(key);
  if (instance === undefined || instance.left === 0) {
    instance = { ajv: create(dialect, allErrors), left: COMPILATIONS };
    instances.set(key, instance);
  }
  instance.left -= 1;
  return instance.ajv;
}
