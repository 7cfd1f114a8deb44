import type { ValidationError, ValidatorOptions } from 'class-validator';
import { loadOptional } from './optional-packages.js';
import { SchemaFault } from './schema-fault.js';

export type DtoClass = abstract new (...parameters: never[]) => object;

/** What class-validator knows about one rule of one property. */
export interface RuleMetadata {
  readonly type: string;
  readonly name?: string;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly constraintCls?: DtoClass;
  readonly each: boolean;
}

interface ValidatorStorage {
  getTargetValidationMetadatas(
    target: DtoClass,
    schema: string,
    always: boolean,
    strictGroups: boolean,
  ): readonly RuleMetadata[];
  getTargetValidatorConstraints(target: DtoClass): readonly { readonly name: string; readonly async?: boolean }[];
}

interface Validator {
  getMetadataStorage(): ValidatorStorage;
  validate(value: object, options: ValidatorOptions): Promise<ValidationError[]>;
  validateSync(value: object, options: ValidatorOptions): ValidationError[];
}

interface DirectionOptions {
  readonly name?: string;
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
}

export interface TypeOptions {
  readonly discriminator?: {
    readonly property: string;
    readonly subTypes: readonly { readonly name: string; readonly value: DtoClass }[];
  };
}

interface TransformerStorage {
  findTypeMetadata(
    target: DtoClass,
    property: string,
  ): { readonly typeFunction: () => unknown; readonly options?: TypeOptions } | undefined;
  findExposeMetadata(target: DtoClass, property: string): { readonly options: DirectionOptions } | undefined;
  findExcludeMetadata(target: DtoClass, property: string): { readonly options: DirectionOptions } | undefined;
  findTransformMetadatas(target: DtoClass, property: string, direction: number): readonly unknown[];
}

const PURPOSE = 'a DTO class';

export function validator(): Validator {
  return loadOptional<Validator>('class-validator', PURPOSE);
}

export function transformer(): { plainToInstance(dto: DtoClass, value: unknown): unknown } {
  return loadOptional('class-transformer', PURPOSE);
}

/** class-transformer keeps its metadata behind a path of its own. */
export function transformerStorage(): TransformerStorage {
  return loadOptional<{ defaultMetadataStorage: TransformerStorage }>('class-transformer/cjs/storage', PURPOSE)
    .defaultMetadataStorage;
}

/** A class, as opposed to a schema that happens to be a function. */
export function isClass(source: unknown): source is DtoClass {
  return typeof source === 'function' && Object.hasOwn(source, 'prototype');
}

/** Rules by property, inherited ones included, in the order of declaration. */
export function rulesOf(dto: DtoClass): ReadonlyMap<string, readonly RuleMetadata[]> {
  const storage = validator().getMetadataStorage();
  const rules = new Map<string, RuleMetadata[]>();
  for (const rule of storage.getTargetValidationMetadatas(dto, '', true, false)) {
    rules.set(rule.propertyName, [...(rules.get(rule.propertyName) ?? []), rule]);
  }
  return rules;
}

/** `isEmail`, `min`, `nestedValidation`, …: what kind of rule it is. */
export function kindOf(rule: RuleMetadata): string {
  if (rule.type !== 'customValidation' || rule.constraintCls === undefined) return rule.type;
  const [constraint] = validator().getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  return rule.name ?? constraint?.name ?? rule.type;
}

export function isAsync(rule: RuleMetadata): boolean {
  if (rule.constraintCls === undefined) return false;
  const constraints = validator().getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  return constraints.some((constraint) => constraint.async === true);
}

/** The type that TypeScript wrote down for a property. */
export function designType(dto: DtoClass, property: string): unknown {
  return Reflect.getMetadata('design:type', dto.prototype, property);
}

/** What `@nestjs/swagger` wrote down, by property; its metadata needs no import. */
export function swaggerOf(dto: DtoClass): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const prototype: object = dto.prototype;
  const names = (Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype) ?? []) as readonly string[];
  return new Map(
    names.map((entry) => {
      const name = entry.replace(/^:/, '');
      return [
        name,
        (Reflect.getMetadata('swagger/apiModelProperties', prototype, name) ?? {}) as Record<string, unknown>,
      ];
    }),
  );
}

/** The class that `@Type` names, with its discriminator; undefined without `@Type`. */
export function declaredType(
  dto: DtoClass,
  property: string,
): { readonly type: unknown; readonly options: TypeOptions } | undefined {
  const found = transformerStorage().findTypeMetadata(dto, property);
  if (found === undefined) return undefined;
  const type = found.typeFunction();
  if (type === undefined) throw new SchemaFault(`property ${property}: @Type gives undefined (a circular import?)`);
  return { type, options: found.options ?? {} };
}

/** 0 = PLAIN_TO_CLASS in class-transformer. */
export function isTransformed(dto: DtoClass, property: string): boolean {
  return transformerStorage().findTransformMetadatas(dto, property, 0).length > 0;
}
