import { type PathVariable, UriPath } from './uri-template-path.js';
import { type QueryVariable, UriQuery } from './uri-template-query.js';

/** Values of a template's variables, decoded once: a list for `{/v*}` and `{?v*}`, text for all others. */
export type TemplateVariables = Readonly<Record<string, string | readonly string[]>>;

/** A compiled RFC 6570 template, read backwards: from a uri to its variables. */
export interface UriTemplate {
  readonly text: string;
  /** Names in the order of the template. */
  readonly variables: readonly string[];
  /** The variables of a whole uri; undefined when it does not match. Linear in the length of the uri. */
  match(uri: string): TemplateVariables | undefined;
}

export type TemplateReading =
  | { readonly ok: true; readonly template: UriTemplate }
  /** Each fault names the expression. */
  | { readonly ok: false; readonly faults: readonly string[] };

interface Expression {
  readonly source: string;
  readonly operator: string;
  readonly names: readonly { readonly name: string; readonly explode: boolean }[];
}

const NAME = /^(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*$/;
const OPERATORS = new Set(['', '+', '/', '.', '?', '&']);

/**
 * Compiles a template. Claimed: `{v}` and `{.v}` (one non-empty segment), `{+v}` (anything), `{/v}`, `{/v*}` (one or more
 * segments), `{?a,b*}` and `{&a,b*}` at the end (in any order, all optional, no other names). Where a uri can be read in
 * several ways the earlier variable is the shorter one. Refused: `{#v}`, `{;v}`, `:n`, `{a,b}`, two variables without a
 * literal between them, a repeated variable, stray braces.
 */
export function compileUriTemplate(text: string): TemplateReading {
  const faults: string[] = [];
  const tokens = tokenise(text, faults);
  checkNames(tokens, faults);
  if (faults.length > 0) return { ok: false, faults };
  const from = queryStart(tokens);
  const { path, query } = split(tokens, from, faults);
  const matcher = new UriPath(pathParts(path, faults));
  if (faults.length > 0) return { ok: false, faults };
  const variables = tokens.flatMap((token) => (typeof token === 'string' ? [] : token.names.map(({ name }) => name)));
  return { ok: true, template: { text, variables, match: (uri) => match(uri, matcher, query) } };
}

function match(uri: string, path: UriPath, query: UriQuery | undefined): TemplateVariables | undefined {
  const mark = query === undefined ? -1 : uri.indexOf('?');
  const found = path.match(mark < 0 ? uri : uri.slice(0, mark));
  if (found === undefined || query === undefined) return found && Object.fromEntries(found);
  const rest = query.match(mark < 0 ? undefined : uri.slice(mark + 1));
  return rest && Object.fromEntries([...found, ...rest]);
}

type Token = string | Expression;

function tokenise(text: string, faults: string[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const brace = text.slice(at).search(/[{}]/);
    const literal = brace < 0 ? text.slice(at) : text.slice(at, at + brace);
    if (literal !== '') tokens.push(literal);
    if (brace < 0) break;
    at += literal.length;
    const end = text[at] === '{' ? text.indexOf('}', at) : -1;
    if (end < 0) {
      faults.push(`stray ${text[at]} at position ${at}`);
      break;
    }
    tokens.push(expression(text.slice(at, end + 1), faults));
    at = end + 1;
  }
  return tokens;
}

function expression(source: string, faults: string[]): Expression {
  const [, operator = '', list = ''] = /^\{([^\w%]?)(.*)\}$/s.exec(source) ?? [];
  const names = list.split(',').map((item) => ({ name: item.replace(/\*$/, ''), explode: item.endsWith('*') }));
  const inQuery = operator === '?' || operator === '&';
  if (!OPERATORS.has(operator)) faults.push(`${source}: the operator ${operator} is not supported`);
  else if (list.includes(':')) faults.push(`${source}: prefixes are not supported`);
  else if (!names.every(({ name }) => NAME.test(name))) faults.push(`${source} is not an expression of RFC 6570`);
  else if (!inQuery && names.length > 1) faults.push(`${source}: several variables are supported in queries only`);
  else if (!inQuery && operator !== '/' && names.some(({ explode }) => explode)) {
    faults.push(`${source}: * is supported in {/name*}, {?name*} and {&name*} only`);
  }
  return { source, operator, names };
}

function checkNames(tokens: readonly Token[], faults: string[]): void {
  const seen = new Set<string>();
  for (const token of tokens) {
    if (typeof token === 'string') continue;
    for (const { name } of token.names) {
      if (seen.has(name)) faults.push(`${token.source} repeats the variable ${name}`);
      seen.add(name);
    }
  }
}

/** The first token of the query that is matched by name; the end when there is none. */
function queryStart(tokens: readonly Token[]): number {
  const named = tokens.findIndex(
    (token) => typeof token !== 'string' && (token.operator === '?' || token.operator === '&'),
  );
  return named < 0 ? tokens.length : named;
}

function split(
  tokens: readonly Token[],
  from: number,
  faults: string[],
): { readonly path: readonly Token[]; readonly query: UriQuery | undefined } {
  const first = tokens[from];
  if (first === undefined || typeof first === 'string') return { path: tokens, query: undefined };
  const optional: QueryVariable[] = [];
  for (const [at, token] of tokens.slice(from).entries()) {
    if (typeof token === 'string' || (at > 0 && token.operator !== '&')) {
      faults.push(`${first.source} must stand at the end, or before {&name} alone`);
      break;
    }
    optional.push(...token.names);
  }
  const before = tokens.slice(0, from);
  const marked = before.findIndex((token) => typeof token === 'string' && token.includes('?'));
  const mark = before[marked];
  if (first.operator === '?') {
    if (mark !== undefined) faults.push(`${first.source} stands after a literal ?: write {&…}`);
    return { path: before, query: new UriQuery([], optional) };
  }
  if (typeof mark !== 'string') {
    faults.push(`${first.source} needs a ? before it: write {?…}`);
    return { path: before, query: undefined };
  }
  const cut = mark.indexOf('?');
  const required = requiredPairs([mark.slice(cut + 1), ...before.slice(marked + 1)]);
  if (required === undefined) faults.push(`${first.source} needs whole name=value pairs before it`);
  const names = [...(required ?? []), ...optional].map(({ name }) => name);
  if (new Set(names).size < names.length) faults.push(`${first.source} repeats a parameter of the query before it`);
  return { path: [...before.slice(0, marked), mark.slice(0, cut)], query: new UriQuery(required ?? [], optional) };
}

/** A literal query before `{&…}`: pairs whose value is all literal or one simple variable. */
function requiredPairs(tokens: readonly Token[]): QueryVariable[] | undefined {
  const pairs: QueryVariable[] = [];
  let open: string | undefined;
  for (const token of tokens) {
    if (typeof token !== 'string') {
      const [variable] = token.names;
      if (token.operator !== '' || variable === undefined || open === undefined) return undefined;
      pairs.push({ name: open, as: variable.name, explode: false });
      open = undefined;
      continue;
    }
    // After a variable the next pair must begin.
    if (pairs.length > 0 && token !== '' && !token.startsWith('&')) return undefined;
    for (const pair of token.split('&').filter((text) => text !== '')) {
      const [name = '', value] = pair.split(/=(.*)/s);
      if (open !== undefined || name === '' || value === undefined) return undefined;
      if (value === '') open = name;
      else pairs.push({ name, literal: value, explode: false });
    }
  }
  return open === undefined ? pairs : undefined;
}

/** Literals and variables in turn, the operators' own characters among the literals. */
function pathParts(tokens: readonly Token[], faults: string[]): { literals: string[]; variables: PathVariable[] } {
  const literals = [''];
  const variables: PathVariable[] = [];
  let inQuery = false;
  for (const token of tokens) {
    const last = literals.length - 1;
    if (typeof token === 'string') {
      literals[last] += token;
      inQuery ||= token.includes('?');
      continue;
    }
    const [variable] = token.names;
    if (variable === undefined) continue;
    if (token.operator === '/' || token.operator === '.') literals[last] += token.operator;
    if (variables.length > 0 && literals[last] === '') {
      faults.push(`${token.source} needs a literal between it and the variable before it`);
    }
    const kind = token.operator === '+' ? 'any' : variable.explode ? 'segments' : inQuery ? 'value' : 'segment';
    variables.push({ name: variable.name, kind });
    literals.push('');
  }
  return { literals, variables };
}
