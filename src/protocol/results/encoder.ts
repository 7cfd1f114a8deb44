import type { RequestId } from '../call.js';
import { EncodeError } from '../errors.js';
import { copyPlain, isStringifiable, toPlainData } from './plain-data.js';

/**
 * The JSON text of any value, well-formed Unicode, lone surrogates replaced by U+FFFD in keys and values. Undefined,
 * functions and symbols at the root are `null`; `toPlainData` says what becomes of the rest. The only encoder of the
 * package: it runs before a head is sent, and its one failure is `EncodeError`.
 */
export function encode(value: unknown): string {
  if (typeof value === 'string') return encodeText(value);
  try {
    const text = isStringifiable(value) ? JSON.stringify(value) : JSON.stringify(toPlainData(value));
    if (text === undefined) return 'null';
    // JSON.stringify writes a lone surrogate as an escape of this form; the text itself may hold these characters too.
    return text.includes('\\ud') ? JSON.stringify(copyPlain(value)) : text;
  } catch (error) {
    if (error instanceof EncodeError) throw error;
    // A text beyond the longest string of the platform, or a getter that throws.
    throw Object.assign(new EncodeError('The result could not be written'), { cause: error });
  }
}

/** The text with lone surrogates replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** A string as JSON text. */
export function encodeText(text: string): string {
  return JSON.stringify(wellFormed(text));
}

/** A whole JSON-RPC response around a result that is JSON text already. */
export function encodeResult(id: RequestId, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${resultText}}`;
}

/**
 * A whole JSON-RPC error response. An unknown id is left out (BASE-24). Never throws: data without a JSON form is left
 * out; encode it beforehand to learn of that.
 */
export function encodeError(id: RequestId | undefined, code: number, message: string, data?: unknown): string {
  const idMember = id === undefined ? '' : `"id":${idText(id)},`;
  const dataText = data === undefined ? undefined : encodeOrNothing(data);
  const dataMember = dataText === undefined ? '' : `,"data":${dataText}`;
  return `{"jsonrpc":"2.0",${idMember}"error":{"code":${code},"message":${encodeText(message)}${dataMember}}}`;
}

/** Exactly the id received (BASE-04): a lone surrogate, which came as an escape, goes back as that escape. */
function idText(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

function encodeOrNothing(data: unknown): string | undefined {
  try {
    return encode(data);
  } catch {
    return undefined;
  }
}
