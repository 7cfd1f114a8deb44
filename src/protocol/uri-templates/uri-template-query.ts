import { decodeVariable } from './uri-template-path.js';

/** A parameter of a query. */
export interface QueryVariable {
  /** As it stands in the uri. */
  readonly name: string;
  /** May stand there several times; its value is a list. */
  readonly explode: boolean;
  /** The variable that takes the value, when it is not called like the parameter. */
  readonly as?: string;
  /** The value it must have; it is no variable then. */
  readonly literal?: string;
}

/** Parameters in any order. No parameter may be there that the template does not name. */
export class UriQuery {
  private readonly known = new Map<string, QueryVariable>();

  /** Required ones may not be missing; an optional one that is missing has no value. */
  constructor(
    private readonly required: readonly QueryVariable[],
    optional: readonly QueryVariable[],
  ) {
    for (const variable of [...required, ...optional]) this.known.set(variable.name, variable);
  }

  /** `query` is what follows the `?`; undefined when there is no `?`. */
  match(query: string | undefined): [string, string | string[]][] | undefined {
    const values = new Map<string, string | string[]>();
    for (let from = 0; query !== undefined && from <= query.length;) {
      const end = query.indexOf('&', from);
      const pair = query.slice(from, end < 0 ? query.length : end);
      if (!this.take(pair, values)) return undefined;
      from = end < 0 ? query.length + 1 : end + 1;
    }
    if (this.required.some(({ name }) => !values.has(name))) return undefined;
    return [...values]
      .filter(([name]) => this.known.get(name)?.literal === undefined)
      .map(([name, value]) => [this.known.get(name)?.as ?? name, value]);
  }

  private take(pair: string, values: Map<string, string | string[]>): boolean {
    const sign = pair.indexOf('=');
    const name = sign < 0 ? pair : pair.slice(0, sign);
    const raw = sign < 0 ? '' : pair.slice(sign + 1);
    const variable = this.known.get(name);
    // A fragment is no part of a value.
    if (variable === undefined || raw.includes('#')) return false;
    const value = variable.literal === undefined ? decodeVariable(raw) : raw;
    if (value === undefined || (variable.literal !== undefined && value !== variable.literal)) return false;
    if (variable.as !== undefined && value === '') return false;
    const before = values.get(name);
    if (before === undefined) values.set(name, variable.explode ? [value] : value);
    else if (Array.isArray(before)) before.push(value);
    else return false;
    return true;
  }
}
