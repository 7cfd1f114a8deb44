import { conjoin } from './conjoin.js';
import { decorate } from './dto-decorations.js';
import {
  declaredType,
  designType,
  isClass,
  isTransformed,
  kindOf,
  rulesOf,
  swaggerOf,
  transformerStorage,
  type DtoClass,
  type RuleMetadata,
  type TypeOptions,
} from './dto-metadata.js';
import { printRule } from './dto-rules.js';
import type { JsonSchema } from './json-schema.js';
import { messageOf, SchemaFault } from './schema-fault.js';

type Direction = 'input' | 'output';

const PRIMITIVES: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Array, { type: 'array' }],
  [Set, { type: 'array' }],
  [Map, { type: 'object' }],
  [Date, { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] }],
]);

/** `examples` is a map there and a list in JSON Schema, so it is not among them. */
const SWAGGER_TEXTS = ['title', 'description', 'example', 'deprecated'] as const;
const OPTIONAL = new Set(['conditionalValidation', 'isEmpty']);
/** Keywords that say what a value is; a schema with none of them takes the type that TypeScript wrote down. */
const TELLING = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf'];

/** Prints a class and the classes nested in it, each once, as `$defs`. */
class Printing {
  readonly defs: Record<string, JsonSchema> = {};
  readonly #names = new Map<DtoClass, string>();

  constructor(readonly direction: Direction) {}

  reference(dto: DtoClass): JsonSchema {
    let name = this.#names.get(dto);
    if (name === undefined) {
      name = dto.name === '' ? 'Anonymous' : dto.name;
      for (let copy = 2; Object.hasOwn(this.defs, name); copy += 1) name = `${dto.name}${copy}`;
      this.#names.set(dto, name);
      // Taken before it is filled, so that a class may refer to itself.
      this.defs[name] = {};
      this.defs[name] = this.#print(dto);
    }
    return { $ref: `#/$defs/${name}` };
  }

  #print(dto: DtoClass): JsonSchema {
    const rules = rulesOf(dto);
    const swagger = swaggerOf(dto);
    if (rules.size === 0 && swagger.size === 0) {
      throw new SchemaFault(`class ${dto.name} has no class-validator decorators`);
    }
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of new Set([...rules.keys(), ...swagger.keys()])) {
      const name = this.#nameOf(dto, property);
      if (name === undefined) continue;
      const own = rules.get(property) ?? [];
      const documented = swagger.get(property) ?? {};
      try {
        properties[name] = this.#property(dto, property, own, documented);
      } catch (error) {
        throw new SchemaFault(`property ${dto.name}.${property}: ${messageOf(error)}`);
      }
      const optional =
        own.length === 0 ? documented['required'] === false : own.some((rule) => OPTIONAL.has(kindOf(rule)));
      if (!optional) required.push(name);
    }
    const schema = {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
    return decorate(schema, dto);
  }

  /** The name a client knows the property by; undefined when class-transformer keeps it from clients. */
  #nameOf(dto: DtoClass, property: string): string | undefined {
    const storage = transformerStorage();
    const away = this.direction === 'input' ? 'toPlainOnly' : 'toClassOnly';
    const exclude = storage.findExcludeMetadata(dto, property)?.options;
    if (exclude !== undefined && exclude[away] !== true) return undefined;
    if (this.direction === 'output') return property;
    const expose = storage.findExposeMetadata(dto, property)?.options;
    return expose === undefined || expose.toPlainOnly === true ? property : (expose.name ?? property);
  }

  #property(
    dto: DtoClass,
    property: string,
    rules: readonly RuleMetadata[],
    documented: Readonly<Record<string, unknown>>,
  ): JsonSchema {
    let schema: JsonSchema = {};
    for (const rule of rules) {
      schema = conjoin(
        schema,
        kindOf(rule) === 'nestedValidation' ? this.#nested(dto, property, rule) : printRule(rule),
      );
    }
    const design = designType(dto, property);
    if (!TELLING.some((keyword) => Object.hasOwn(schema, keyword))) {
      schema = conjoin(schema, documentedType(documented) ?? PRIMITIVES.get(design) ?? {});
    }
    const kinds = new Set(rules.map(kindOf));
    if (kinds.has('isNotEmpty') && schema['type'] === 'string') schema = conjoin(schema, { minLength: 1 });
    if (this.direction === 'input' && kinds.has('isDate')) requireDateType(dto, property);
    for (const text of SWAGGER_TEXTS)
      if (documented[text] !== undefined) schema = { ...schema, [text]: documented[text] };
    return decorate(schema, dto, property);
  }

  #nested(dto: DtoClass, property: string, rule: RuleMetadata): JsonSchema {
    const declared = declaredType(dto, property);
    const design = designType(dto, property);
    if (declared === undefined && this.direction === 'input') {
      throw new SchemaFault('@ValidateNested needs @Type(() => Class), else nested objects are never validated');
    }
    const type = declared?.type ?? design;
    if (!isClass(type)) throw new SchemaFault('@ValidateNested needs @Type(() => Class)');
    const schema = this.#oneOf(type, declared?.options ?? {});
    if (design === Map) return { type: 'object', additionalProperties: schema };
    return rule.each || design === Array || design === Set ? { type: 'array', items: schema } : schema;
  }

  #oneOf(type: DtoClass, options: TypeOptions): JsonSchema {
    const { discriminator } = options;
    if (discriminator === undefined) return this.reference(type);
    const branches = discriminator.subTypes.map(({ name, value }) => {
      const { $ref } = this.reference(value);
      const plain = this.defs[String($ref).replace('#/$defs/', '')] ?? {};
      if (plain['type'] === undefined) throw new SchemaFault('a discriminated type may not contain itself');
      const properties = (plain['properties'] ?? {}) as Record<string, unknown>;
      const required = (plain['required'] ?? []) as readonly string[];
      return {
        ...plain,
        properties: { [discriminator.property]: { const: name }, ...omit(properties, discriminator.property) },
        required: [...new Set([discriminator.property, ...required])],
      };
    });
    return { anyOf: branches };
  }
}

function omit(properties: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name));
}

/** `@ApiProperty({ enum, type })` tells what a rule has not told. */
function documentedType(documented: Readonly<Record<string, unknown>>): JsonSchema | undefined {
  const { enum: declared, type, isArray } = documented;
  if (Array.isArray(declared))
    return isArray === true ? { type: 'array', items: { enum: declared } } : { enum: declared };
  const primitive = PRIMITIVES.get(type);
  if (primitive === undefined) return undefined;
  return isArray === true ? { type: 'array', items: primitive } : primitive;
}

/** `@IsDate` wants a Date, JSON has none: something must make one. */
function requireDateType(dto: DtoClass, property: string): void {
  if (declaredType(dto, property)?.type === Date || isTransformed(dto, property)) return;
  throw new SchemaFault('@IsDate needs @Type(() => Date), else no JSON value ever passes');
}

/** JSON Schema of a class-validator class, nested classes as `$defs`, as clients send it or as they get it. */
export function printDto(dto: DtoClass, direction: Direction): JsonSchema {
  const printing = new Printing(direction);
  const root = printing.reference(dto);
  return { ...root, $defs: printing.defs };
}
