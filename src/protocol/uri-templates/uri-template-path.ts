export interface PathVariable {
  readonly name: string;
  /** One segment, one segment of a query (no `&` either), one or more segments, or any characters. */
  readonly kind: 'segment' | 'value' | 'segments' | 'any';
}

const SLASH = 0x2f;
const EXCLUDED: Readonly<Record<PathVariable['kind'], ReadonlySet<number>>> = {
  segment: new Set([SLASH, 0x3f, 0x23]),
  value: new Set([SLASH, 0x3f, 0x23, 0x26]),
  segments: new Set([0x3f, 0x23]),
  any: new Set(),
};
/** `.` or `..` between separators of any platform (RES-21). */
const DOT_SEGMENT = /(?:^|[/\\])\.\.?(?:$|[/\\])/;

/**
 * The value of a variable, decoded once; undefined when its percent-encoding is malformed or when it could lead
 * elsewhere: with NUL or a `.` or `..` segment.
 */
export function decodeVariable(raw: string): string | undefined {
  let value = raw;
  if (raw.includes('%')) {
    try {
      value = decodeURIComponent(raw);
    } catch {
      return undefined;
    }
  }
  return value.includes('\0') || DOT_SEGMENT.test(value) ? undefined : value;
}

/** Literals and variables in turn: one literal more than variables, the inner ones not empty. */
export interface UriPathParts {
  readonly literals: readonly string[];
  readonly variables: readonly PathVariable[];
}

/**
 * Matches by trying ends of each variable, shortest first. A variable that ended at a place in vain is never ended
 * there again, wherever it began: the work is bounded by variables × characters.
 */
export class UriPath {
  private readonly first: string;
  private readonly last: string;

  constructor(private readonly parts: UriPathParts) {
    this.first = parts.literals[0] ?? '';
    this.last = parts.literals.at(-1) ?? '';
  }

  match(text: string): [string, string | string[]][] | undefined {
    const { variables } = this.parts;
    if (variables.length === 0) return text === this.first ? [] : undefined;
    if (!text.startsWith(this.first) || !text.endsWith(this.last)) return undefined;
    const spans = this.spans(text);
    if (spans === undefined) return undefined;
    const values: [string, string | string[]][] = [];
    for (const [at, { name, kind }] of variables.entries()) {
      const raw = text.slice(spans[2 * at], spans[2 * at + 1]);
      const value = kind === 'segments' ? decodeAll(raw.split('/')) : decodeVariable(raw);
      if (value === undefined) return undefined;
      values.push([name, value]);
    }
    return values;
  }

  /** Start and end of each variable, one after the other. */
  private spans(text: string): number[] | undefined {
    const { literals, variables } = this.parts;
    const finish = text.length - this.last.length;
    const tried = new Uint8Array(variables.length > 1 ? variables.length * (finish + 1) : 0);
    const spans: number[] = [this.first.length];
    let index = 0;
    let end = this.first.length;
    while (index >= 0) {
      const kind = variables[index]?.kind ?? 'any';
      const code = text.charCodeAt(end);
      const place = index * (finish + 1) + end + 1;
      if (end >= finish || EXCLUDED[kind].has(code) || isEmptySegment(kind, text, end) || tried[place] === 1) {
        end = spans[2 * --index + 1] ?? 0;
        continue;
      }
      tried[place] = 1;
      end++;
      // A list of segments does not end with a separator.
      if (kind === 'segments' && code === SLASH) continue;
      if (index === variables.length - 1) {
        if (end < finish) continue;
        spans[2 * index + 1] = end;
        return spans;
      }
      const literal = literals[index + 1] ?? '';
      if (!text.startsWith(literal, end)) continue;
      spans[2 * index + 1] = end;
      end += literal.length;
      spans[2 * ++index] = end;
    }
    return undefined;
  }
}

/** The literal before a list of segments ends with a separator, so its first segment is covered too. */
function isEmptySegment(kind: PathVariable['kind'], text: string, at: number): boolean {
  return kind === 'segments' && text.charCodeAt(at) === SLASH && text.charCodeAt(at - 1) === SLASH;
}

function decodeAll(raw: readonly string[]): string[] | undefined {
  const values: string[] = [];
  for (const segment of raw) {
    const value = decodeVariable(segment);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
