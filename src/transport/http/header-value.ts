import { Buffer, isUtf8 } from 'node:buffer';

/** Visible ASCII, space and tab (HDR-12). */
const PLAIN = /^[\t\u0020-\u007e]*$/;
const SENTINEL = /^=\?base64\?(.*)\?=$/;
/** Decimal forms of an integer: no sign but minus, no leading zeros, zeros after the point only. */
const INTEGER = /^(-?)(0|[1-9][0-9]*)(?:\.0+)?$/;

/** Undefined when the value cannot be read: characters outside ASCII, or Base64 that is not canonical or not UTF-8. */
function readable(value: string, sentinel: boolean): string | undefined {
  if (!PLAIN.test(value)) return undefined;
  const line = value.trim();
  const match = sentinel && line.startsWith('=?') ? SENTINEL.exec(line) : null;
  if (match === null) return line;
  const text = match[1] ?? '';
  const bytes = Buffer.from(text, 'base64');
  // Node reads past wrong alphabets and paddings: only what encodes back to itself was Base64 (HDR-10).
  if (bytes.toString('base64') !== text || !isUtf8(bytes)) return undefined;
  return bytes.toString('utf8');
}

/** True when a header line says what the body says (HDR-09 to HDR-16). `sentinel`: the Base64 form is understood. */
export function headerEquals(value: string, body: unknown, sentinel: boolean): boolean {
  const text = readable(value, sentinel);
  if (text === undefined) return false;
  switch (typeof body) {
    case 'string':
      return text === body;
    case 'boolean':
      return text === String(body);
    case 'number':
      return integerEquals(text, body);
    default:
      return false;
  }
}

/** Exact at any length: digits are compared as digits (HDR-16). */
function integerEquals(text: string, body: number): boolean {
  if (!Number.isInteger(body)) return false;
  const match = INTEGER.exec(text);
  if (match === null) return false;
  const digits = match[2] ?? '';
  const sign = digits === '0' ? '' : (match[1] ?? '');
  return `${sign}${digits}` === BigInt(body).toString();
}
