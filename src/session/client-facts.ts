import type { ClientCapabilities, Implementation } from '../protocol/call.js';
import { isObject } from '../protocol/json/json.js';

/** What one client can make a session remember of its identity, and of its capabilities, in characters of JSON. */
const LONGEST_TEXT = 8_192;
const LONGEST_FIELD = 1_024;
const NAMED_FIELDS = ['title', 'description', 'websiteUrl'];

/**
 * Keeps what clients say of themselves. The same text gives the same frozen object: ten thousand sessions of one
 * client application share one. Texts past a bound are cut to what the protocol itself reads.
 */
export class ClientFacts {
  readonly #known = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(private readonly max = 256) {}

  info(info: Implementation): Implementation {
    const { name, version } = info;
    return this.#share<Implementation>(info, () => {
      const cut: Record<string, unknown> = {
        name: name.slice(0, LONGEST_FIELD),
        version: version.slice(0, LONGEST_FIELD),
      };
      for (const field of NAMED_FIELDS) {
        const value = info[field];
        if (typeof value === 'string') cut[field] = value.slice(0, LONGEST_FIELD);
      }
      return cut as Implementation;
    });
  }

  capabilities(capabilities: ClientCapabilities): ClientCapabilities {
    return this.#share(capabilities, () => {
      const cut: Record<string, unknown> = {};
      for (const field of ['elicitation', 'sampling', 'roots', 'tasks', 'extensions']) {
        const value = capabilities[field];
        if (isObject(value)) cut[field] = JSON.stringify(value).length <= LONGEST_FIELD ? value : {};
      }
      return cut;
    });
  }

  #share<T extends Readonly<Record<string, unknown>>>(value: T, cut: () => T): T {
    let written = JSON.stringify(value);
    if (written.length > LONGEST_TEXT) written = JSON.stringify(cut());
    const known = this.#known.get(written);
    // The same text was made from a value of the same kind: `info` has a name, which capabilities have not.
    if (known !== undefined) return known as T;
    // A copy: the value may hang in the parsed body of its request.
    const kept = deepFreeze(JSON.parse(written) as T);
    if (this.#known.size >= this.max) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(written, kept);
    return kept;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
