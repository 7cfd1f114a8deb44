const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const PADDING = 0x3d;
const ascii = new TextDecoder('latin1');

/** Platforms with a native encoder (ECMAScript 2026) use it. */
interface NativeBytes extends Uint8Array {
  toBase64?(): string;
}

/** Standard base64 with padding (RFC 4648 section 4), as `data` and `blob` want it. */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as NativeBytes).toBase64;
  if (native !== undefined) return native.call(bytes);
  const length = bytes.length;
  const whole = length - (length % 3);
  const out = new Uint8Array(Math.ceil(length / 3) * 4);
  let to = 0;
  let at = 0;
  for (; at < whole; at += 3) {
    const group = (byte(bytes, at) << 16) | (byte(bytes, at + 1) << 8) | byte(bytes, at + 2);
    out[to++] = byte(CODES, group >> 18);
    out[to++] = byte(CODES, (group >> 12) & 63);
    out[to++] = byte(CODES, (group >> 6) & 63);
    out[to++] = byte(CODES, group & 63);
  }
  if (whole < length) {
    const two = length - whole === 2;
    const group = (byte(bytes, at) << 16) | (two ? byte(bytes, at + 1) << 8 : 0);
    out[to++] = byte(CODES, group >> 18);
    out[to++] = byte(CODES, (group >> 12) & 63);
    out[to++] = two ? byte(CODES, (group >> 6) & 63) : PADDING;
    out[to] = PADDING;
  }
  return ascii.decode(out);
}

/** The bytes of unpadded base64url text (RFC 4648 section 5); undefined when it is none. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** True for padded standard base64: what clients can decode without guessing. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** An index that the caller keeps within bounds. */
function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}
