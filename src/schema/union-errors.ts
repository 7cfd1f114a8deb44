import type { ErrorObject } from 'ajv';

type Branches = ReadonlyMap<string, readonly ErrorObject[]>;

/** The errors of a union's branches, by branch. Branches behind a `$ref` are reported elsewhere and not among them. */
function branchesOf(union: ErrorObject, errors: readonly ErrorObject[]): Branches {
  const prefix = `${union.schemaPath}/`;
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    if (!error.schemaPath.startsWith(prefix) || !error.instancePath.startsWith(union.instancePath)) continue;
    const branch = error.schemaPath.slice(prefix.length).split('/', 1)[0] ?? '';
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  return branches;
}

function isChoice(error: ErrorObject, union: ErrorObject): boolean {
  if (error.keyword !== 'const' && error.keyword !== 'enum') return false;
  return error.instancePath === union.instancePath || parentOf(error.instancePath) === union.instancePath;
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function choicesOf(error: ErrorObject): readonly unknown[] {
  const params: Readonly<Record<string, unknown>> = error.params;
  const allowed = params['allowedValues'];
  return error.keyword === 'const' ? [params['allowedValue']] : Array.isArray(allowed) ? allowed : [];
}

/** What to say instead of the union and its branches. */
function explain(union: ErrorObject, branches: Branches): readonly ErrorObject[] {
  // A branch that is missing stands behind a `$ref`: what it wanted cannot be weighed against the others.
  if (Array.isArray(union.schema) && union.schema.length !== branches.size) return [union];
  const all = [...branches.values()];
  const wrongType = (errors: readonly ErrorObject[]): ErrorObject | undefined =>
    errors.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath);
  const typed = all.filter((errors) => wrongType(errors) === undefined);
  if (typed.length === 0) {
    const types = all.flatMap((errors) => String(wrongType(errors)?.params['type']).split(','));
    return [{ ...union, keyword: 'type', params: { type: [...new Set(types)] } }];
  }
  const meant = typed.filter((errors) => !errors.some((error) => isChoice(error, union)));
  const chosen = meant.length === 1 ? meant[0] : typed.length === 1 ? typed[0] : undefined;
  if (chosen !== undefined) return chosen;
  if (meant.length > 0) return [union];
  // Every branch says which value would choose it: when they speak of the same member, that is the answer.
  const choices = typed.map((errors) => errors.find((error) => isChoice(error, union)));
  const places = new Set(choices.map((error) => error?.instancePath));
  const [first] = choices;
  if (places.size !== 1 || first === undefined) return [union];
  const allowedValues = choices.flatMap((error) => (error === undefined ? [] : choicesOf(error)));
  return [{ ...first, keyword: 'enum', params: { allowedValues } }];
}

/**
 * A failed union reports its branches and itself. The caller needs to hear of the branch that was meant: the one whose
 * type and constants (a discriminator) fit. Inner unions first, so that an outer one chooses among explained errors.
 */
export function narrowUnions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter(
    ({ keyword, params }) => keyword === 'anyOf' || (keyword === 'oneOf' && !Array.isArray(params['passingSchemas'])),
  );
  let left = errors;
  for (const union of [...unions].sort((a, b) => b.schemaPath.length - a.schemaPath.length)) {
    const branches = branchesOf(union, left);
    if (branches.size === 0) continue;
    const gone = new Set([union, ...[...branches.values()].flat()]);
    left = [...left.filter((error) => !gone.has(error)), ...explain(union, branches)];
  }
  return left;
}
