import type { PatternNode } from './pattern-syntax.js';

/** An instruction: a character to match, two ways on, an assertion, or the end of the match. */
type Step =
  | { readonly kind: 'character'; readonly token: number; readonly next: number }
  | { kind: 'split'; first: number; second: number }
  | { readonly kind: 'start' | 'end'; readonly next: number }
  | { readonly kind: 'accept' };

interface State {
  readonly steps: readonly number[];
  readonly accepts: boolean;
  readonly acceptsAtEnd: boolean;
  /** By kind of character. */
  readonly next: Map<string, State>;
}

const MAX_STEPS = 2_000;
const MAX_STATES = 1_000;
const MAX_KINDS = 10_000;

export class TooLarge extends Error {}

/**
 * Finds a pattern in a text in time proportional to the text, whatever the pattern: all ways through the pattern are
 * followed at once, and sets of places already seen are remembered.
 */
export class LinearMatcher {
  readonly #steps: Step[] = [];
  readonly #tokens: string[] = [];
  readonly #matchers: RegExp[] = [];
  readonly #entry: number;
  readonly #kinds = new Map<number, string>();
  #states = new Map<string, State>();
  #initial: State | undefined;

  constructor(pattern: PatternNode) {
    this.#entry = this.#build(pattern, this.#push({ kind: 'accept' }));
    for (const token of this.#tokens) this.#matchers.push(new RegExp(`^(?:${token})$`, 'u'));
  }

  test(text: string): boolean {
    let state = (this.#initial ??= this.#state([this.#entry], true));
    for (const character of text) {
      if (state.accepts) return true;
      const kind = this.#kindOf(character);
      let next = state.next.get(kind);
      if (next === undefined) {
        next = this.#advance(state, kind);
        state.next.set(kind, next);
      }
      state = next;
    }
    return state.accepts || state.acceptsAtEnd || (text === '' && this.#isEmptyMatch());
  }

  #isEmptyMatch(): boolean {
    return this.#close([this.#entry], true, true).some((step) => this.#steps[step]?.kind === 'accept');
  }

  #push(step: Step): number {
    if (this.#steps.length >= MAX_STEPS) throw new TooLarge();
    this.#steps.push(step);
    return this.#steps.length - 1;
  }

  #build(node: PatternNode, next: number): number {
    switch (node.kind) {
      case 'character': {
        const known = this.#tokens.indexOf(node.token);
        const token = known === -1 ? this.#tokens.push(node.token) - 1 : known;
        return this.#push({ kind: 'character', token, next });
      }
      case 'start':
      case 'end':
        return this.#push({ kind: node.kind, next });
      case 'sequence':
        return node.nodes.reduceRight((after, inner) => this.#build(inner, after), next);
      case 'choice':
        return node.nodes
          .map((inner) => this.#build(inner, next))
          .reduce((first, second) => this.#push({ kind: 'split', first, second }));
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat({ node, min, max }: PatternNode & { kind: 'repeat' }, next: number): number {
    if (min > MAX_STEPS || (max !== Infinity && max > MAX_STEPS)) throw new TooLarge();
    let entry = next;
    if (max === Infinity) {
      const loop = { kind: 'split' as const, first: next, second: next };
      entry = this.#push(loop);
      loop.first = this.#build(node, entry);
    } else {
      for (let copy = min; copy < max; copy += 1) {
        entry = this.#push({ kind: 'split', first: this.#build(node, entry), second: next });
      }
    }
    for (let copy = 0; copy < min; copy += 1) entry = this.#build(node, entry);
    return entry;
  }

  /** Everything reachable without reading a character. */
  #close(from: readonly number[], atStart: boolean, atEnd: boolean): number[] {
    const seen = new Set<number>();
    const open = [...from];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const step = this.#steps[place];
      if (step?.kind === 'split') open.push(step.first, step.second);
      else if ((step?.kind === 'start' && atStart) || (step?.kind === 'end' && atEnd)) open.push(step.next);
    }
    return [...seen].filter((place) => this.#steps[place]?.kind !== 'split').sort((a, b) => a - b);
  }

  #accepts(places: readonly number[]): boolean {
    return places.some((place) => this.#steps[place]?.kind === 'accept');
  }

  #state(from: readonly number[], atStart: boolean): State {
    const steps = this.#close(from, atStart, false);
    const key = `${atStart ? '^' : ''}${steps.join(',')}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#states.size >= MAX_STATES) this.#states = new Map();
    const state: State = {
      steps,
      accepts: this.#accepts(steps),
      acceptsAtEnd: this.#accepts(this.#close(steps, atStart, true)),
      next: new Map(),
    };
    this.#states.set(key, state);
    return state;
  }

  #advance(state: State, kind: string): State {
    // A match may begin at any character, so the entry is among the places each time.
    const places = [this.#entry];
    for (const place of state.steps) {
      const step = this.#steps[place];
      if (step?.kind === 'character' && kind[step.token] === '1') places.push(step.next);
    }
    return this.#state(places, false);
  }

  /** Which of the pattern's tokens match the character: `0110`. */
  #kindOf(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    const known = this.#kinds.get(code);
    if (known !== undefined) return known;
    const kind = this.#matchers.map((matcher) => (matcher.test(character) ? '1' : '0')).join('');
    if (this.#kinds.size >= MAX_KINDS) this.#kinds.clear();
    this.#kinds.set(code, kind);
    return kind;
  }
}
