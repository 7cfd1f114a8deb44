const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const LOWER_E = 0x65;
const UPPER_E = 0x45;

/** Where the fraction and the exponent end that begin at `from`; -1 when they are malformed. */
export function endOfFraction(text: string, from: number): number {
  let at = from;
  if (text.charCodeAt(at) === POINT) {
    at = endOfDigits(text, at + 1);
    if (at < 0) return -1;
  }
  const code = text.charCodeAt(at);
  if (code !== LOWER_E && code !== UPPER_E) return at;
  const sign = text.charCodeAt(at + 1);
  return endOfDigits(text, sign === MINUS || sign === PLUS ? at + 2 : at + 1);
}

/** At least one digit must be there. */
function endOfDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= 0x30 && code <= 0x39;) code = text.charCodeAt(++at);
  return at === from ? -1 : at;
}
