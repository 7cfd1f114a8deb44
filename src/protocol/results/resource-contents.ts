import { contents } from './content-blocks.js';
import { encode } from './encoder.js';
import { McpNotFound, OutputFault } from '../errors.js';
import { everyItem, joinItems } from '../items.js';
import { isObject } from '../json/json.js';
import { bytesOf } from './plain-data.js';
import { metaText, type ResultText } from './result-text.js';
import type { Revision } from '../revisions.js';

export interface ResourceContentsOptions {
  readonly revision: Revision;
  /** The uri that was read. */
  readonly uri: string;
  /** The declared MIME type. */
  readonly mimeType?: string;
}

/**
 * What a resource returned, as a `ReadResourceResult` (RES-06, RES-07). A string is its text; bytes are its blob; an
 * array of objects with `text` or `blob`, and `{ contents }`, are contents, checked; anything else is JSON text, of type
 * `application/json` unless declared. Undefined, null and no contents at all are `McpNotFound` (RES-19). Throws
 * `OutputFault` for contents without uri or with both of text and blob.
 */
export function toResourceContents(value: unknown, options: ResourceContentsOptions): ResultText {
  const { uri, mimeType } = options;
  if (value === undefined || value === null) throw new McpNotFound();
  if (typeof value === 'string') return one({ uri, mimeType, text: value }, options);
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new OutputFault(`A ${typeof value} is no resource`);
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) {
    return one({ uri, mimeType, text: String(value) }, options);
  }
  const bytes = typeof value === 'object' ? bytesOf(value) : undefined;
  if (bytes !== undefined) return one({ uri, mimeType, blob: bytes }, options);
  if (Array.isArray(value) && value.length > 0 && everyItem(value, isContents)) return listed(value, options);
  if (isObject(value) && Array.isArray(value.contents) && Object.keys(value).every((key) => RESULT_KEYS.has(key))) {
    return listed(value.contents, options, value._meta);
  }
  return one({ uri, mimeType: mimeType ?? 'application/json', text: encode(value) }, options);
}

const RESULT_KEYS = new Set(['contents', '_meta']);

function isContents(value: unknown): boolean {
  return isObject(value) && (value.text !== undefined || value.blob !== undefined);
}

function one(item: object, { revision }: ResourceContentsOptions): ResultText {
  return { members: `"contents":[${encode(contents(item, revision))}]` };
}

function listed(items: readonly unknown[], options: ResourceContentsOptions, meta?: unknown): ResultText {
  if (items.length === 0) throw new McpNotFound();
  const { revision, uri, mimeType } = options;
  const own = (item: unknown): boolean => isObject(item) && item.uri === uri;
  const list = joinItems(items, (item) => encode(contents(item, revision, own(item) ? mimeType : undefined)));
  const members = `"contents":[${list}]`;
  const metaMembers = metaText(meta);
  return metaMembers === undefined ? { members } : { members, meta: metaMembers };
}
