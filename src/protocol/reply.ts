import { META } from './envelope.js';
import type { Outcome } from './call.js';
import type { Revision } from './revisions.js';
import type { CacheHint } from './server-options.js';

/** The result of a method before the envelope of its revision is put around it. */
export interface Reply {
  /** The members of the result as JSON text, without braces and without `_meta`: `"tools":[…]`. May be empty. */
  readonly members: string;
  /** Members of the result's `_meta` as JSON text, without braces. */
  readonly meta?: string;
  /** Modern: `complete` unless said otherwise (BASE-13). */
  readonly resultType?: 'complete' | 'input_required' | 'task';
  /** Tools: the result says `isError`. */
  readonly isError?: boolean;
  /** Modern: cache hints of a cacheable result (CACHE-01). */
  readonly cache?: CacheHint;
  readonly opened?: Outcome['opened'];
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(',');
}

/** Puts the envelope of a revision around a reply: the `result` of the answer as JSON text. */
export class ReplyWriter {
  readonly #serverInfo: string;
  /** The commonest tail, joined once. */
  readonly #plainTail: string;

  constructor(serverInfo: object) {
    this.#serverInfo = `${JSON.stringify(META.serverInfo)}:${JSON.stringify(serverInfo)}`;
    this.#plainTail = `"resultType":"complete","_meta":{${this.#serverInfo}}`;
  }

  text(reply: Reply, revision: Revision): string {
    const { members, meta } = reply;
    if (!revision.envelope) {
      return `{${meta === undefined ? members : join(members, `"_meta":{${meta}}`)}}`;
    }
    if (meta === undefined && reply.cache === undefined && reply.resultType === undefined) {
      return members === '' ? `{${this.#plainTail}}` : `{${members},${this.#plainTail}}`;
    }
    const { cache, resultType = 'complete' } = reply;
    const hints = cache === undefined ? undefined : `"ttlMs":${cache.ttlMs},"cacheScope":"${cache.scope}"`;
    return `{${join(members, `"resultType":"${resultType}"`, hints, `"_meta":{${join(meta, this.#serverInfo)}}`)}}`;
  }
}
