import { toBase64 } from './base64.js';
import { EncodeError } from '../errors.js';
import { MAX_VALUES, tooLarge } from '../items.js';

/** Levels of a result; beyond it a value counts as endless. */
const MAX_DEPTH = 256;

const BYTE_VIEWS = new Set(['[object Uint8Array]', '[object Uint8ClampedArray]', '[object DataView]']);
/** Stands in for a key where `toJSON` was called already. */
const ASKED = -1;

const toString = Object.prototype.toString;

/**
 * Turns whatever a handler returned into plain JSON data; the same value when it already is.
 *
 * Dates become ISO strings, BigInts decimal strings, bytes (`Uint8Array`, `ArrayBuffer`) base64, Maps objects, Sets and
 * other typed arrays arrays, boxed primitives their value, anything with `toJSON` what that gives, other instances
 * their own enumerable properties. Undefined, functions and symbols are left out of objects and are null in arrays.
 * Lone surrogates become U+FFFD. Throws `EncodeError` for cycles, NaN, infinities, invalid dates, keys that are no
 * primitives, whatever throws while it is read, and what is deeper or larger than can be meant.
 */
export function toPlainData(value: unknown): unknown {
  try {
    return new Survey().isPlain(value, 0) ? value : copyPlain(value);
  } catch (error) {
    throw encodeError(error);
  }
}

/** As `toPlainData`, but always a copy whose strings and keys are well-formed Unicode. */
export function copyPlain(value: unknown): unknown {
  try {
    const data = new PlainCopy().of(value, '');
    return data === undefined ? null : data;
  } catch (error) {
    throw encodeError(error);
  }
}

/** True when `JSON.stringify` writes the value as it is meant, up to lone surrogates. */
export function isStringifiable(value: unknown): boolean {
  try {
    return new Survey(true).isPlain(value, 0);
  } catch (error) {
    throw encodeError(error);
  }
}

/** Looks without copying. What is not plain for sure is not plain: the copy then finds the words for it. */
class Survey {
  private left = MAX_VALUES;

  /** `gaps`: undefined, functions and symbols are fine, since `JSON.stringify` leaves them out. */
  constructor(private readonly gaps = false) {}

  isPlain(value: unknown, depth: number): boolean {
    if (--this.left < 0) throw tooLarge();
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return true;
      case 'number':
        return Number.isFinite(value);
      case 'object':
        // A cycle ends at the bound as well; branching ones end at the count.
        return value === null || (depth < MAX_DEPTH && this.isPlainObject(value, depth + 1));
      case 'bigint':
        return false;
      default:
        return this.gaps;
    }
  }

  private isPlainObject(value: object, depth: number): boolean {
    if (Array.isArray(value)) {
      // Holes of sparse arrays are written too.
      if (value.length > this.left) throw tooLarge();
      for (let at = 0; at < value.length; at++) if (!this.isPlain(value[at], depth)) return false;
      return true;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) if (!this.isPlain(members[key], depth)) return false;
    return typeof members.toJSON !== 'function';
  }
}

class PlainCopy {
  private readonly path: (string | number)[] = [];
  private readonly open = new Set<object>();
  private left = MAX_VALUES;

  of(value: unknown, key: string | number): unknown {
    if (--this.left < 0) throw tooLarge();
    switch (typeof value) {
      case 'string':
        return value.isWellFormed() ? value : value.toWellFormed();
      case 'number':
        if (!Number.isFinite(value)) throw this.fault(`${value}, which is no JSON number`);
        return value;
      case 'bigint':
        return value.toString();
      case 'boolean':
        return value;
      case 'object':
        return value === null ? null : this.object(value, key);
      default:
        return undefined;
    }
  }

  private object(value: object, key: string | number): unknown {
    const bytes = bytesOf(value);
    if (bytes !== undefined) return toBase64(bytes);
    if (this.open.has(value)) throw this.fault('a reference to what contains it');
    if (this.open.size >= MAX_DEPTH) throw this.fault(`nested deeper than ${MAX_DEPTH} levels`);
    this.open.add(value);
    const data = this.unwrapped(value, key);
    this.open.delete(value);
    return data;
  }

  private unwrapped(value: object, key: string | number): unknown {
    if (Array.isArray(value)) return this.array(value);
    // By tag, since an instance may come from another realm (test runners, vm contexts).
    switch (toString.call(value)) {
      case '[object Date]':
        if (Number.isNaN((value as Date).getTime())) throw this.fault('an invalid date');
        return (value as Date).toISOString();
      case '[object Number]':
      case '[object String]':
      case '[object Boolean]':
      case '[object BigInt]':
        return this.of(value.valueOf(), key);
      case '[object Map]':
        return this.map(value as Map<unknown, unknown>);
      case '[object Set]':
        return this.array(this.listed(value as Set<unknown>));
    }
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function' && key !== ASKED) {
      const data: unknown = toJSON.call(value, String(key));
      // As in JSON.stringify, what toJSON gave is not asked again.
      if (data === value) return this.members(Object.entries(value));
      return this.of(data, typeof data === 'object' ? ASKED : key);
    }
    if (ArrayBuffer.isView(value)) return this.array(Array.from(value as unknown as ArrayLike<unknown>));
    return this.members(Object.entries(value));
  }

  private array(items: readonly unknown[]): unknown[] {
    if (items.length > this.left) throw tooLarge();
    const copy: unknown[] = [];
    for (let at = 0; at < items.length; at++) {
      this.path.push(at);
      copy.push(this.of(items[at], at) ?? null);
      this.path.pop();
    }
    return copy;
  }

  private map(entries: Map<unknown, unknown>): Record<string, unknown> {
    return this.members(
      this.listed(entries).map(([key, value]) => {
        if (typeof key === 'object' || typeof key === 'function' || typeof key === 'symbol') {
          throw this.fault('a Map with a key that is no primitive');
        }
        return [String(key), value];
      }),
    );
  }

  /** A spread that stops: the tag may be borrowed by an iterable without end. */
  private listed<T>(items: Iterable<T>): T[] {
    const list: T[] = [];
    for (const item of items) {
      if (list.push(item) > this.left) throw tooLarge();
    }
    return list;
  }

  private members(entries: Iterable<[string, unknown]>): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const [name, member] of entries) {
      this.path.push(name);
      const value = this.of(member, name);
      this.path.pop();
      if (value === undefined) continue;
      const key = name.toWellFormed();
      if (key === '__proto__') {
        Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
      } else copy[key] = value;
    }
    return copy;
  }

  private fault(what: string): EncodeError {
    return new EncodeError(this.path.length === 0 ? `The result is ${what}` : `${pathText(this.path)} is ${what}`);
  }
}

/** The bytes of an `ArrayBuffer` or a `Uint8Array` (a Node `Buffer` is one), of any realm; undefined for all else. */
export function bytesOf(value: object): Uint8Array | undefined {
  if (!ArrayBuffer.isView(value)) {
    return toString.call(value) === '[object ArrayBuffer]' ? new Uint8Array(value as ArrayBuffer) : undefined;
  }
  const tag = toString.call(value);
  if (!BYTE_VIEWS.has(tag)) return undefined;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text;
}

/** Getters, `toJSON`, proxies and revoked buffers may throw anything. */
function encodeError(error: unknown): EncodeError {
  if (error instanceof EncodeError) return error;
  return Object.assign(new EncodeError('The result could not be read'), { cause: error });
}
