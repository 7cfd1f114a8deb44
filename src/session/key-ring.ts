import { createHash, hkdfSync, randomBytes } from 'node:crypto';

/** A secret shared by the instances of a server: text or bytes, at least 32 bytes. */
export type StateSecret = string | Uint8Array;

export interface RingKey {
  /** Names the key in sealed texts, so that opening tries one key only. Says nothing about the secret. */
  readonly id: string;
  readonly key: Uint8Array;
}

const LEAST_BYTES = 32;
const PURPOSE = 'mcp requestState v1';

/** Keys for sealing: the first seals, all open, so that secrets can be rotated (MRTR-12). */
export class KeyRing {
  readonly sealing: RingKey;
  readonly #keys: ReadonlyMap<string, RingKey>;

  /** Without secrets: one random key, good for this process alone. Throws naming the secret that is too short. */
  constructor(secrets: readonly StateSecret[] | undefined) {
    if (secrets !== undefined && secrets.length === 0) throw new Error('stateKeys must name at least one secret');
    const keys = (secrets ?? [randomBytes(LEAST_BYTES)]).map(derive);
    const [first] = keys;
    if (first === undefined) throw new Error('stateKeys must name at least one secret');
    this.sealing = first;
    this.#keys = new Map(keys.map((key) => [key.id, key]));
  }

  find(id: string): RingKey | undefined {
    return this.#keys.get(id);
  }
}

function derive(secret: StateSecret, index: number): RingKey {
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret;
  if (bytes.length < LEAST_BYTES) throw new Error(`stateKeys[${index}] must have at least ${LEAST_BYTES} bytes`);
  const key = new Uint8Array(hkdfSync('sha256', bytes, '', PURPOSE, 32));
  const id = createHash('sha256').update('id of ').update(key).digest('base64url').slice(0, 8);
  return { id, key };
}
