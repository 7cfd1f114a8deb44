import { encode } from './encoder.js';
import { OutputFault } from '../errors.js';
import { everyItem } from '../items.js';
import { isObject } from '../json/json.js';
import type { ResultText } from './result-text.js';

/** What a completion may return, besides an array of strings. */
export interface CompletionResult {
  readonly values: readonly string[];
  /** How many there are in all. */
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** COMP-04. */
const MAX_VALUES = 100;

/**
 * What a completion returned, as a `CompleteResult`: at most 100 values. Of an array of strings the total is known;
 * undefined and null are no values. Throws `OutputFault` for anything else.
 */
export function toCompletion(value: unknown): ResultText {
  const result = value ?? [];
  if (Array.isArray(result)) return completion(result, result.length, result.length > MAX_VALUES);
  if (!isObject(result) || !Array.isArray(result.values)) {
    throw new OutputFault('A completion must return an array of strings or { values, total, hasMore }');
  }
  const { values, total, hasMore } = result;
  if (total !== undefined && !(Number.isSafeInteger(total) && (total as number) >= 0)) {
    throw new OutputFault('total of a completion must be a whole number');
  }
  if (hasMore !== undefined && typeof hasMore !== 'boolean') {
    throw new OutputFault('hasMore of a completion must be a boolean');
  }
  return completion(values, total, values.length > MAX_VALUES ? true : hasMore);
}

function completion(values: readonly unknown[], total: unknown, hasMore: unknown): ResultText {
  const first = values.slice(0, MAX_VALUES);
  if (!everyItem(first, (value) => typeof value === 'string')) {
    throw new OutputFault('Values of a completion must be strings');
  }
  return { members: `"completion":${encode({ values: first, total, hasMore })}` };
}
