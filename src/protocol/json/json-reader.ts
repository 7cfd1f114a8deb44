import type { JsonObject, JsonValue } from './json.js';
import { endOfFraction } from './json-number.js';
import { closingQuote, parseString, SHORT_STRING } from './json-string.js';

/** What became of a text: its value, or why there is none. */
export type JsonReading =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /**
       * Messages whose `id` is a number not written as a plain integer (`1.0`, `1e3`, `-0`): echoing it would change it.
       * Absent when there are none.
       */
      readonly inexactIds?: ReadonlySet<unknown>;
    }
  | {
      readonly ok: false;
      /** `syntax`: not JSON (-32700). `refused`: JSON that this package does not accept (-32600). */
      readonly kind: 'syntax' | 'refused';
      /** One sentence without values of the caller; a repeated key is named, cut to 64 characters. */
      readonly reason: string;
    };

export interface JsonReaderOptions {
  /** Levels of arrays and objects. Default 64. */
  readonly maxDepth?: number;
}

/**
 * Reads one JSON text (RFC 8259), already decoded and without byte order mark. The only JSON reader of the package.
 *
 * Refused although `JSON.parse` would take it: nesting beyond the bound (at once, before anything below is read), a key
 * repeated in one object (compared after unescaping), an integer literal beyond ±(2^53−1), a number that overflows.
 * Text that is no JSON at all wins over the last three.
 */
export function readJson(text: string, options?: JsonReaderOptions): JsonReading {
  return new JsonReader(text, options?.maxDepth ?? 64).read();
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** A slice of 13 characters or more keeps the whole text alive; of large texts strings are copied instead. */
const LARGE_TEXT = 16_384;
const SHARED_SLICE = 13;
const NAMED_KEY = 64;
/** Any integer of so many digits is exact. */
const EXACT_DIGITS = 15;

const hasOwn = Object.prototype.hasOwnProperty;

/** Recursive descent; `undefined` means failed, which no JSON value is. */
class JsonReader {
  private at = 0;
  private depth = 0;
  private rootIsArray = false;
  private tooDeep = false;
  /** The first refusal; reading goes on, so that text which is no JSON is reported as such. */
  private refusal: string | undefined;
  /** Whether the number read last was digits with an optional minus, and not `-0`. */
  private plainInteger = true;
  private inexactIds: Set<unknown> | undefined;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  read(): JsonReading {
    const first = this.next();
    this.rootIsArray = first === OPEN_ARRAY;
    const value = this.value(first);
    if (this.tooDeep) return refused(`JSON nests deeper than ${this.maxDepth} levels`);
    this.next();
    if (value === undefined || this.at < this.text.length) {
      return { ok: false, kind: 'syntax', reason: 'Not valid JSON' };
    }
    if (this.refusal !== undefined) return refused(this.refusal);
    return this.inexactIds === undefined ? { ok: true, value } : { ok: true, value, inexactIds: this.inexactIds };
  }

  /** Skips white space; answers the character there without taking it, NaN at the end. */
  private next(): number {
    const text = this.text;
    let at = this.at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.at = at;
    return code;
  }

  private value(code: number): JsonValue | undefined {
    switch (code) {
      case QUOTE:
        return this.string();
      case OPEN_OBJECT:
        return this.object();
      case OPEN_ARRAY:
        return this.array();
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        return code === MINUS || (code >= ZERO && code <= NINE) ? this.number(code) : undefined;
    }
  }

  private word<T extends JsonValue>(word: string, value: T): T | undefined {
    if (!this.text.startsWith(word, this.at)) return undefined;
    this.at += word.length;
    return value;
  }

  private enter(): boolean {
    this.at++;
    if (++this.depth <= this.maxDepth) return true;
    this.tooDeep = true;
    return false;
  }

  private array(): JsonValue[] | undefined {
    if (!this.enter()) return undefined;
    const items: JsonValue[] = [];
    let code = this.next();
    if (code === CLOSE_ARRAY) return this.leave(items);
    for (;;) {
      const item = this.value(code);
      if (item === undefined) return undefined;
      items.push(item);
      code = this.next();
      if (code === CLOSE_ARRAY) return this.leave(items);
      if (code !== COMMA) return undefined;
      this.at++;
      code = this.next();
    }
  }

  private object(): JsonObject | undefined {
    if (!this.enter()) return undefined;
    const members: JsonObject = {};
    let code = this.next();
    if (code === CLOSE_OBJECT) return this.leave(members);
    for (;;) {
      const key = code === QUOTE ? this.string() : undefined;
      if (key === undefined || this.next() !== COLON) return undefined;
      this.at++;
      const value = this.value(this.next());
      if (value === undefined) return undefined;
      this.add(members, key, value);
      code = this.next();
      if (code === CLOSE_OBJECT) return this.leave(members);
      if (code !== COMMA) return undefined;
      this.at++;
      code = this.next();
    }
  }

  private leave<T>(container: T): T {
    this.at++;
    this.depth--;
    return container;
  }

  private add(members: JsonObject, key: string, value: JsonValue): void {
    // Inherited members are not undefined either: only an own one is a repetition.
    if (members[key] !== undefined && hasOwn.call(members, key)) {
      this.refusal ??= `JSON repeats the key ${JSON.stringify(key.slice(0, NAMED_KEY).toWellFormed())} in one object`;
    } else if (key === '__proto__') {
      Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
    } else {
      members[key] = value;
    }
    if (key === 'id' && !this.plainInteger && typeof value === 'number' && this.depth === (this.rootIsArray ? 2 : 1)) {
      (this.inexactIds ??= new Set()).add(members);
    }
  }

  private number(first: number): number | undefined {
    const text = this.text;
    const start = this.at;
    let at = start;
    let code = first;
    if (code === MINUS) code = text.charCodeAt(++at);
    const digitsFrom = at;
    let magnitude = 0;
    while (code >= ZERO && code <= NINE) {
      magnitude = magnitude * 10 + (code - ZERO);
      code = text.charCodeAt(++at);
    }
    const digits = at - digitsFrom;
    if (digits === 0 || (digits > 1 && text.charCodeAt(digitsFrom) === ZERO)) return undefined;
    this.plainInteger = true;
    if (code === 0x2e || code === 0x65 || code === 0x45) {
      this.plainInteger = false;
      at = endOfFraction(text, at);
      if (at < 0) return undefined;
    }
    this.at = at;
    if (this.plainInteger && digits <= EXACT_DIGITS) {
      if (digitsFrom === start) return magnitude;
      this.plainInteger = magnitude !== 0;
      return -magnitude;
    }
    const value = Number(text.slice(start, at));
    if (this.plainInteger ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
      this.refusal ??= this.plainInteger
        ? 'JSON holds an integer beyond ±(2^53-1)'
        : 'JSON holds a number beyond the range of a double';
    }
    return value;
  }

  private string(): string | undefined {
    const text = this.text;
    const start = this.at + 1;
    const stop = start + SHORT_STRING;
    for (let at = start; at < stop; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        if (text.length >= LARGE_TEXT && at - start >= SHARED_SLICE) return parseString(text, start, at);
        return text.slice(start, at);
      }
      if (code === BACKSLASH) return this.longString(start, at);
      // Raw control characters are not allowed in strings; NaN is the end of the text.
      if (!(code >= 0x20)) return undefined;
    }
    return this.longString(start, stop);
  }

  /** Finds the closing quote from a place that no escape straddles and lets the platform read the slice. */
  private longString(start: number, from: number): string | undefined {
    const end = closingQuote(this.text, from);
    if (end < 0) return undefined;
    this.at = end + 1;
    return parseString(this.text, start, end);
  }
}

function refused(reason: string): JsonReading {
  return { ok: false, kind: 'refused', reason };
}
