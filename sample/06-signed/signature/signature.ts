import { createHmac, timingSafeEqual } from 'node:crypto';

// For the demonstration only: a real secret comes from where secrets are kept.
export const SECRET = process.env['SIGNING_SECRET'] ?? 'for the demonstration only';

/** HMAC-SHA-256 over the time, a full stop, and the body byte for byte. */
export function sign(bytes: Uint8Array, seconds: string, secret: string): string {
  return createHmac('sha256', secret).update(`${seconds}.`).update(bytes).digest('hex');
}

/** In constant time: how far a guess was right must not show. */
export function sameSignature(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
