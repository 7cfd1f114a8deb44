import { Injectable } from '@nestjs/common';
import type { McpRawBodyCheck } from 'nestjs-mcp';
import { sameSignature, SECRET, sign } from './signature.js';

/** An old signature is no signature: whoever overheard it may not use it for long. */
const TOLERANCE_S = 300;

interface SignedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Runs before anything is made of the body, on the exact bytes. A body that was parsed and printed again has other
 * spaces, so its signature would never match. Missing and wrong are the same 403.
 */
@Injectable()
export class SignatureCheck implements McpRawBodyCheck {
  verify({ headers }: SignedRequest, bytes: Buffer): boolean {
    const { 'x-signature': signature, 'x-signed-at': seconds } = headers;
    if (typeof signature !== 'string' || typeof seconds !== 'string' || !/^\d{1,12}$/.test(seconds)) return false;
    if (Math.abs(Date.now() / 1_000 - Number(seconds)) > TOLERANCE_S) return false;
    return sameSignature(signature, sign(bytes, seconds, SECRET));
  }
}
