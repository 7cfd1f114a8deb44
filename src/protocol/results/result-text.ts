import { encode } from './encoder.js';
import { META } from '../envelope.js';
import { OutputFault } from '../errors.js';
import { isObject, type ReadonlyJsonObject } from '../json/json.js';

/** A result as JSON text in parts, so that the envelope of a revision joins without a second pass. */
export interface ResultText {
  /** Members without braces, e.g. `"content":[]`; may be empty. */
  readonly members: string;
  /** Members of `_meta` without braces; absent when there are none. */
  readonly meta?: string;
}

/** Written by the server alone: a host's own would stand there twice (META-11, LTASK-12). */
const SERVER_KEYS: ReadonlySet<string> = new Set([META.serverInfo, META.relatedTask]);

/** Members of a `_meta` given by an author, without those that the server writes; undefined when none are left. */
export function metaText(meta: unknown): string | undefined {
  if (meta === undefined) return undefined;
  if (!isObject(meta)) throw new OutputFault('_meta must be an object');
  const own = Object.keys(meta).some((key) => SERVER_KEYS.has(key)) ? withoutServerKeys(meta) : meta;
  const text = encode(own).slice(1, -1);
  return text === '' ? undefined : text;
}

function withoutServerKeys(meta: ReadonlyJsonObject): ReadonlyJsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !SERVER_KEYS.has(key)));
}
