import type { ResultText } from '../../src/protocol/results/result-text.js';

/** The result as a client reads it, without the envelope of a revision. */
export function readResult({ members, meta }: ResultText): unknown {
  return JSON.parse(meta === undefined ? `{${members}}` : `{${members},"_meta":{${meta}}}`);
}
