import { LinearMatcher, TooLarge } from './linear-matcher.js';
import { BeyondLinear, countRepeats, hasRepeatedChoices, parsePattern, type PatternNode } from './pattern-syntax.js';
import { messageOf, SchemaFault } from './schema-fault.js';

/** As much of a regular expression as validation needs. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** Up to this length the backtracking engine is fast enough for patterns with few open repeats. */
const SHORT = 1_000;
/** Longest text for a pattern with look-around or back-references, whose time cannot be bounded otherwise. */
const LONGEST = 5_000;

type Plan =
  | { readonly kind: 'linear'; readonly tree: PatternNode; readonly always: boolean }
  | { readonly kind: 'bounded'; readonly risky: boolean };

/** Without a tree: an open repeat of a group that holds another repeat or a choice, by its letters alone. */
const REPEATED_GROUP =
  /\((?:[^()\\[\]]|\\.|\[(?:[^\]\\]|\\.)*\])*(?:[*+|]|\{\d+,\d*\})(?:[^()\\[\]]|\\.|\[(?:[^\]\\]|\\.)*\])*\)(?:[*+]|\{\d+,?\d*\})/;

function planOf(source: string): Plan {
  try {
    const tree = parsePattern(source);
    const matcher: Plan = { kind: 'linear', tree, always: hasRepeatedChoices(tree) || countRepeats(tree) > 1 };
    void new LinearMatcher(tree);
    return matcher;
  } catch (error) {
    if (!(error instanceof BeyondLinear || error instanceof TooLarge)) throw error;
    return { kind: 'bounded', risky: REPEATED_GROUP.test(source) };
  }
}

/** Refuses, at boot, what is no regular expression and what a caller could make run for ever. */
export function requirePattern(source: string, where: string): void {
  try {
    void new RegExp(source, 'u');
  } catch (error) {
    throw new SchemaFault(`${where} is not a regular expression: ${messageOf(error)}`);
  }
  const plan = planOf(source);
  if (plan.kind === 'bounded' && plan.risky) {
    throw new SchemaFault(
      `${where}: ${source} repeats a group that repeats or chooses inside, beside look-around, a back-reference or a large bound: a caller could make it run for ever`,
    );
  }
}

/**
 * A pattern that no text can make slow. JavaScript's engine backtracks, so it sees only short texts and harmless
 * patterns; the rest is matched in linear time. Patterns with look-around, back-references, word boundaries or large
 * bounds refuse texts of more than 5,000 characters.
 */
export function compilePattern(source: string, flags: string): Pattern {
  const native = new RegExp(source, flags);
  const plan = planOf(source);
  const toString = (): string => native.toString();
  if (plan.kind === 'bounded') return { test: (text) => text.length <= LONGEST && native.test(text), toString };
  let linear: LinearMatcher | undefined;
  return {
    test(text) {
      if (!plan.always && text.length <= SHORT) return native.test(text);
      linear ??= new LinearMatcher(plan.tree);
      return linear.test(text);
    },
    toString,
  };
}
