import type { ValidationError, ValidatorOptions } from 'class-validator';
import type { Parsed, Violation } from '../protocol/catalog/entries.js';
import { declaredType, isAsync, isClass, rulesOf, transformer, validator, type DtoClass } from './dto-metadata.js';
import { pathOf, shortList } from './violations.js';

/** Errors hold neither the object nor the value: nothing of the caller's may travel with them. */
const OPTIONS: ValidatorOptions = { validationError: { target: false, value: false } };

function needsTime(dto: DtoClass, seen = new Set<DtoClass>()): boolean {
  if (seen.has(dto)) return false;
  seen.add(dto);
  for (const [property, rules] of rulesOf(dto)) {
    if (rules.some(isAsync)) return true;
    const declared = declaredType(dto, property);
    const nested = [declared?.type, ...(declared?.options.discriminator?.subTypes.map(({ value }) => value) ?? [])];
    if (nested.some((type) => isClass(type) && needsTime(type, seen))) return true;
  }
  return false;
}

function* flatten(
  errors: readonly ValidationError[],
  keys: readonly string[],
): Generator<readonly [readonly string[], string]> {
  for (const { property, constraints, children } of errors) {
    const place = [...keys, property];
    // Messages begin with the property's name, which the path says already.
    for (const message of Object.values(constraints ?? {})) yield [place, message.replace(`${property} `, '')];
    yield* flatten(children ?? [], place);
  }
}

/**
 * Where a member has a name by which class-transformer would take the caller's word for a class (it reads
 * `value.constructor`) or a prototype. Only free-form parts of a class can hold one: the schema closes the rest.
 */
function unsafeName(value: unknown, keys: readonly string[] = []): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const isUnsafe = !Array.isArray(value) && (name === 'constructor' || name === '__proto__');
    if (isUnsafe) return [...keys, name];
    if (typeof member !== 'object' || member === null) continue;
    const found = unsafeName(member, [...keys, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** class-validator on an instance of the class; the instance is what is handed on. */
export function dtoValidation(dto: DtoClass): (value: unknown, root: string) => Parsed | Promise<Parsed> {
  const { plainToInstance } = transformer();
  const { validate, validateSync } = validator();
  const slow = needsTime(dto);
  return (value, root) => {
    const unsafe = unsafeName(value);
    if (unsafe !== undefined) {
      return { ok: false, violations: [{ path: pathOf(unsafe, value, root), rule: 'has a name that is not allowed' }] };
    }
    const instance = plainToInstance(dto, value) as object;
    const settle = (errors: readonly ValidationError[]): Parsed => {
      if (errors.length === 0) return { ok: true, value: instance };
      const violations = [...flatten(errors, [])].map(([keys, rule]): Violation => ({
        path: pathOf(keys, value, root),
        rule,
      }));
      return { ok: false, violations: shortList(violations, root) };
    };
    return slow ? validate(instance, OPTIONS).then(settle) : settle(validateSync(instance, OPTIONS));
  };
}
