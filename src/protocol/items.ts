import { EncodeError } from './errors.js';

/** Values in a result: a graph whose branches meet again, or an array that only claims its length, has no end. */
export const MAX_VALUES = 5_000_000;

export function tooLarge(): EncodeError {
  return new EncodeError(`The result holds more than ${MAX_VALUES} values`);
}

/** `every` for arrays of authors: a hole is an item like any other, and nothing that is too long is walked to its end. */
export function everyItem(items: readonly unknown[], test: (item: unknown) => boolean): boolean {
  const { length } = items;
  if (length > MAX_VALUES) return false;
  for (let at = 0; at < length; at++) if (!test(items[at])) return false;
  return true;
}

/** The JSON texts of the items, with commas. Throws `EncodeError` for more than can be meant. */
export function joinItems(items: readonly unknown[], write: (item: unknown) => string): string {
  const { length } = items;
  if (length > MAX_VALUES) throw tooLarge();
  let text = '';
  for (let at = 0; at < length; at++) text += at === 0 ? write(items[at]) : `,${write(items[at])}`;
  return text;
}
