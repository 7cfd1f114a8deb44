/** Tells of one broken rule. `path` names the option, e.g. `limits.bodyBytes`; the message never holds its value. */
export type Report = (path: string, message: string) => void;

/** What one option must be. */
export type Rule = (value: unknown, path: string, report: Report) => void;

function must(test: (value: unknown) => boolean, expected: string): Rule {
  return (value, path, report) => {
    if (!test(value)) report(path, `must be ${expected}`);
  };
}

export const text = must((value) => typeof value === 'string' && value.trim() !== '', 'a text that is not empty');
export const flag = must((value) => typeof value === 'boolean', 'true or false');
export const method = must((value) => typeof value === 'function', 'a function');

/** An object whose inside is not this package's to judge. */
export function objectWith(...methods: string[]): Rule {
  return must(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
    `an object with ${methods.map((name) => `${name}()`).join(', ')}`,
  );
}

/** A function, or a class whose instances have the named method. */
export function methodOrClass(name: string): Rule {
  return (value, path, report) => {
    if (typeof value !== 'function') report(path, `must be a function, or a class with ${name}()`);
    else if (isClassWithout(value, name)) report(path, `must have ${name}(): class ${value.name} has none`);
  };
}

/** A class could be called like a function only to throw at the first request. */
function isClassWithout(value: object, name: string): boolean {
  return Function.prototype.toString.call(value).startsWith('class') && !isClassWith(value, name);
}

/** Whether the instances of this class have the method. */
export function isClassWith(value: unknown, name: string): boolean {
  if (typeof value !== 'function') return false;
  const prototype: unknown = value.prototype;
  return typeof (prototype as Record<string, unknown> | undefined)?.[name] === 'function';
}

export function wholeNumber(least: number, most: number): Rule {
  return must(
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    `a whole number from ${least} to ${most}`,
  );
}

export function oneOf(...values: readonly string[]): Rule {
  return must(
    (value) => typeof value === 'string' && values.includes(value),
    values.map((value) => `'${value}'`).join(' or '),
  );
}

export function listOf(rule: Rule): Rule {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report(path, 'must be an array');
    value.forEach((item: unknown, index) => rule(item, `${path}[${index}]`, report));
  };
}

/** The word, or whatever the rule says. */
export function wordOr(word: string, rule: Rule): Rule {
  return (value, path, report) => {
    if (value === word) return;
    if (typeof value === 'string') report(path, `must be '${word}' or an array`);
    else rule(value, path, report);
  };
}

/** An object of these members and no others; `required` ones must be there. */
export function shape(members: Readonly<Record<string, Rule>>, required: readonly string[] = []): Rule {
  return (value, path, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return report(path, 'must be an object');
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const given: Readonly<Record<string, unknown>> = { ...value };
    for (const [name, member] of Object.entries(given)) {
      const rule = Object.hasOwn(members, name) ? members[name] : undefined;
      if (rule === undefined) report(at(name), `is not an option${suggestion(name, Object.keys(members))}`);
      else if (member !== undefined) rule(member, at(name), report);
    }
    for (const name of required) if (given[name] === undefined) report(at(name), 'is required');
  };
}

/** `; did you mean "guards"?`, or nothing when no name is near. */
export function suggestion(name: string, names: readonly string[]): string {
  let best: string | undefined;
  let bound = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bound);
    if (distance < bound) [best, bound] = [candidate, distance];
  }
  return best === undefined ? '' : `; did you mean "${best}"?`;
}

/** Levenshtein distance; texts whose lengths alone differ by more than the bound are not compared. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? bound;
}
