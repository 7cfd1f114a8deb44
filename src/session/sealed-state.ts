import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '../protocol/json/json.js';
import type { OpenedState, StateBinding, StateSealer } from '../protocol/questions/state.js';
import { KeyRing, type StateSecret } from './key-ring.js';
import { InMemoryNonceStore, type NonceStore } from './nonce-store.js';

export interface SealedStateOptions {
  /** The first seals, all open. Default: a random key, so that no other process can open what this one sealed. */
  readonly keys?: readonly StateSecret[];
  /** How long a sealed state can be opened, in ms. Default 600,000. */
  readonly ttlMs?: number;
  /** Default: in memory; instances that share keys need a shared one for single use. */
  readonly nonces?: NonceStore;
  /** The clock, in ms since the epoch. */
  readonly now?: () => number;
}

interface Sealed {
  readonly nonce: string;
  readonly expiresAt: number;
  readonly payload: JsonObject;
}

const VERSION = '1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `1.<key id>.<base64url of iv, ciphertext, tag>` */
const SEALED = /^1\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]+)$/;

/**
 * `requestState` as AES-256-GCM ciphertext (MRTR-08, MRTR-12). Expiry and a nonce are inside; caller, method, target
 * and a digest of the arguments are authenticated with it (MRTR-09), so it opens in its own call only.
 */
export class SealedState implements StateSealer {
  readonly #ring: KeyRing;
  readonly #ttlMs: number;
  readonly #nonces: NonceStore;
  readonly #now: () => number;

  constructor(options: SealedStateOptions = {}) {
    this.#ring = new KeyRing(options.keys);
    this.#ttlMs = options.ttlMs ?? 600_000;
    this.#now = options.now ?? Date.now;
    this.#nonces = options.nonces ?? new InMemoryNonceStore({ now: this.#now });
  }

  seal(payload: JsonObject, binding: StateBinding): string {
    const { id, key } = this.#ring.sealing;
    const sealed: Sealed = { nonce: randomUUID(), expiresAt: this.#now() + this.#ttlMs, payload };
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(authenticated(id, binding));
    const text = cipher.update(JSON.stringify(sealed), 'utf8');
    const bytes = Buffer.concat([iv, text, cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${id}.${bytes.toString('base64url')}`;
  }

  async open(text: string, binding: StateBinding): Promise<OpenedState | undefined> {
    const sealed = this.#decipher(text, binding);
    if (sealed === undefined || sealed.expiresAt <= this.#now()) return undefined;
    const { nonce, expiresAt, payload } = sealed;
    if (await this.#nonces.isSpent(nonce)) return undefined;
    return { payload, spend: () => this.#nonces.spend(nonce, expiresAt) };
  }

  #decipher(text: string, binding: StateBinding): Sealed | undefined {
    const match = SEALED.exec(text);
    const key = match?.[1] === undefined ? undefined : this.#ring.find(match[1]);
    if (match?.[2] === undefined || key === undefined) return undefined;
    const bytes = Buffer.from(match[2], 'base64url');
    // One spelling each: a text with other spare bits is not the one that was sealed.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== match[2]) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(authenticated(key.id, binding));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const start = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return asSealed(JSON.parse(Buffer.concat([start, decipher.final()]).toString('utf8')));
    } catch {
      // The tag does not fit: forged, another caller's or another call's. Which of them is nobody's business.
      return undefined;
    }
  }
}

/** JSON keeps the parts apart: no two bindings are written alike, and an anonymous caller is not one named "null". */
function authenticated(keyId: string, binding: StateBinding): Uint8Array {
  const { identityKey, method, target, argumentsText } = binding;
  const digest = createHash('sha256').update(argumentsText, 'utf8').digest('base64url');
  return Buffer.from(JSON.stringify([VERSION, keyId, identityKey ?? null, method, target, digest]), 'utf8');
}

function asSealed(value: unknown): Sealed | undefined {
  if (!isObject(value)) return undefined;
  const { nonce, expiresAt, payload } = value;
  if (typeof nonce !== 'string' || typeof expiresAt !== 'number' || !isObject(payload)) return undefined;
  // What JSON.parse made is JSON.
  return { nonce, expiresAt, payload: payload as JsonObject };
}
