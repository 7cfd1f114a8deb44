/** A pattern as a tree. `token` is the source of something that matches one character: `a`, `\d`, `[a-z]`, `.`. */
export type PatternNode =
  | { readonly kind: 'character'; readonly token: string }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number };

/** Look-around, back-references and word boundaries need more than one look at each character. */
export class BeyondLinear extends Error {}

const CHARACTER_ESCAPE =
  /^\\(?:u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[^1-9bBk])/u;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/;
const GROUP = /^\((?:\?:|\?<[^=!][^>]*>)?/u;

/** Reads a pattern that `new RegExp(source, 'u')` accepted; throws `BeyondLinear`. */
export function parsePattern(source: string): PatternNode {
  let at = 0;

  const choice = (): PatternNode => {
    const nodes = [sequence()];
    while (source[at] === '|') {
      at += 1;
      nodes.push(sequence());
    }
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: 'choice', nodes };
  };

  const sequence = (): PatternNode => {
    const nodes: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(quantified(atom()));
    return { kind: 'sequence', nodes };
  };

  const quantified = (node: PatternNode): PatternNode => {
    const found = QUANTIFIER.exec(source.slice(at, at + 40));
    if (found === null) return node;
    at += found[0].length;
    const [text, from, comma, to] = found;
    if (from === undefined) {
      return { kind: 'repeat', node, min: text.startsWith('+') ? 1 : 0, max: text.startsWith('?') ? 1 : Infinity };
    }
    const min = Number(from);
    const max = comma === undefined ? min : to === undefined || to === '' ? Infinity : Number(to);
    return { kind: 'repeat', node, min, max };
  };

  const take = (length: number): PatternNode => {
    const token = source.slice(at, at + length);
    at += length;
    return { kind: 'character', token };
  };

  const atom = (): PatternNode => {
    const character = source[at];
    if (character === '^' || character === '$') {
      at += 1;
      return { kind: character === '^' ? 'start' : 'end' };
    }
    if (character === '(') {
      const opening = GROUP.exec(source.slice(at));
      if (opening === null || source[at + opening[0].length] === '?') throw new BeyondLinear();
      at += opening[0].length;
      const inner = choice();
      at += 1;
      return inner;
    }
    if (character === '[') return take(classLength(source, at));
    if (character === '\\') {
      const escape = CHARACTER_ESCAPE.exec(source.slice(at));
      if (escape === null) throw new BeyondLinear();
      return take(escape[0].length);
    }
    return take((source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  };

  return choice();
}

function classLength(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end + 1 - at;
}

/** True when some group repeats and has choices inside: a backtracking engine may try them in exponentially many ways. */
export function hasRepeatedChoices(node: PatternNode, repeated = false): boolean {
  if (node.kind === 'repeat') return repeated || hasRepeatedChoices(node.node, node.max > 1);
  if (node.kind === 'choice' && repeated) return true;
  if (node.kind !== 'sequence' && node.kind !== 'choice') return false;
  return node.nodes.some((inner) => hasRepeatedChoices(inner, repeated));
}

/** How many open repeats a backtracking engine may try against each other: the exponent of its worst case. */
export function countRepeats(node: PatternNode): number {
  if (node.kind === 'repeat') return (node.max > 8 ? 1 : 0) + countRepeats(node.node);
  if (node.kind !== 'sequence' && node.kind !== 'choice') return 0;
  return node.nodes.reduce((total, inner) => total + countRepeats(inner), 0);
}
