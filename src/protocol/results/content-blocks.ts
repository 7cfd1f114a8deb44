import { isBase64, toBase64 } from './base64.js';
import { encode, encodeText } from './encoder.js';
import type { Annotations, Icon } from '../catalog/entries.js';
import { OutputFault } from '../errors.js';
import { isObject, type ReadonlyJsonObject } from '../json/json.js';
import { bytesOf } from './plain-data.js';
import type { Revision } from '../revisions.js';

interface Block {
  readonly annotations?: Annotations;
  readonly _meta?: ReadonlyJsonObject;
}

export interface TextBlock extends Block {
  readonly type: 'text';
  readonly text: string;
}

/** `data`: bytes, or standard base64 text of them. */
export interface MediaBlock extends Block {
  readonly type: 'image' | 'audio';
  readonly data: Uint8Array | string;
  readonly mimeType: string;
}

/** One of `text` and `blob`; `blob`: bytes, or standard base64 text of them. */
export interface Contents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: Uint8Array | string;
  readonly _meta?: ReadonlyJsonObject;
}

export interface ResourceBlock extends Block {
  readonly type: 'resource';
  readonly resource: Contents;
}

export interface ResourceLinkBlock extends Block {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes before any encoding. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

/** What tools and prompts may say (TOOL-22, TOOL-23, PROM-05). */
export type ContentBlock = TextBlock | MediaBlock | ResourceBlock | ResourceLinkBlock;

const MEDIA_KEYS = ['type', 'data', 'mimeType', 'annotations', '_meta'];
const BLOCK_KEYS: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['text', new Set(['type', 'text', 'annotations', '_meta'])],
  ['image', new Set(MEDIA_KEYS)],
  ['audio', new Set(MEDIA_KEYS)],
  ['resource', new Set(['type', 'resource', 'annotations', '_meta'])],
  [
    'resource_link',
    new Set(['type', 'uri', 'name', 'title', 'description', 'mimeType', 'size', 'icons', 'annotations', '_meta']),
  ],
]);

/** type "/" subtype, both tokens (RFC 9110 section 8.3.1), then maybe parameters. */
const MIME_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;.*)?$/;
/** Begins with a scheme (RFC 3986 section 3.1). */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * True for a value that can only be meant as a content block: a known `type`, the members it requires, and no others.
 * An object of the host's own that happens to have a `type` is data.
 */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isObject(value)) return false;
  const keys = BLOCK_KEYS.get(value.type);
  if (keys === undefined || !Object.keys(value).every((key) => keys.has(key))) return false;
  switch (value.type) {
    case 'text':
      return typeof value.text === 'string';
    case 'resource':
      return isObject(value.resource) && typeof value.resource.uri === 'string';
    case 'resource_link':
      return typeof value.uri === 'string' && typeof value.name === 'string';
    default:
      return typeof value.mimeType === 'string' && (typeof value.data === 'string' || isBytes(value.data));
  }
}

/** True for an object that says it is a content block, whole or broken. */
export function hasBlockType(value: unknown): boolean {
  return isObject(value) && BLOCK_KEYS.has(value.type);
}

/** A text block as JSON text. */
export function encodeTextBlock(text: string): string {
  return `{"type":"text","text":${encodeText(text)}}`;
}

/**
 * A content block as JSON text of the revision; a string is a text block. Throws `OutputFault` naming what is wrong.
 * Before `resource_link` exists it becomes a text block with its uri. Members unknown to the protocol are left out.
 */
export function encodeBlock(block: unknown, revision: Revision): string {
  if (typeof block === 'string') return encodeTextBlock(block);
  if (!isObject(block)) throw new OutputFault('A content block must be an object or a string');
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string') throw new OutputFault('A text block must have a text');
      return encode({ type: 'text', text: block.text, ...shared(block, revision) });
    case 'image':
    case 'audio':
      return encode({
        type: block.type,
        data: base64Member(block.data, `data of an ${block.type} block`),
        mimeType: mimeTypeMember(block.mimeType, `An ${block.type} block`),
        ...shared(block, revision),
      });
    case 'resource':
      return encode({ type: 'resource', resource: contents(block.resource, revision), ...shared(block, revision) });
    case 'resource_link':
      return resourceLink(block, revision);
    default:
      throw new OutputFault('A content block must have the type text, image, audio, resource or resource_link');
  }
}

/** Contents of a resource, checked, as plain data. `mimeType` is the declared one, for contents that name none. */
export function contents(value: unknown, revision: Revision, mimeType?: string): object {
  if (!isObject(value)) throw new OutputFault('Contents of a resource must be objects');
  const { uri, text, blob } = value;
  if (typeof uri !== 'string' || !URI.test(uri)) throw new OutputFault('Contents of a resource must have a uri');
  if ((text === undefined) === (blob === undefined)) {
    throw new OutputFault('Contents of a resource must have either a text or a blob');
  }
  if (text !== undefined && typeof text !== 'string') throw new OutputFault('text of a resource must be a string');
  const type = value.mimeType ?? mimeType;
  return {
    uri,
    mimeType: type === undefined ? undefined : mimeTypeMember(type, 'A resource'),
    text,
    blob: blob === undefined ? undefined : base64Member(blob, 'blob of a resource'),
    _meta: revision.titles ? metaMember(value._meta) : undefined,
  };
}

/** Bytes as a block by MIME type: image and audio as such, everything else as an embedded resource. */
export function bytesBlock(bytes: Uint8Array, mimeType = 'application/octet-stream'): ContentBlock {
  const type = /^(image|audio)\//i.exec(mimeType)?.[1]?.toLowerCase();
  if (type === 'image' || type === 'audio') return { type, data: bytes, mimeType };
  // An embedded resource must have a uri, which these bytes do not have: one that nobody will try to read.
  return { type: 'resource', resource: { uri: 'attachment:result', mimeType, blob: bytes } };
}

function resourceLink(block: Record<string, unknown>, revision: Revision): string {
  const { type, uri, name, title, description, mimeType, size, icons } = block;
  if (typeof uri !== 'string' || !URI.test(uri)) throw new OutputFault('A resource_link block must have a uri');
  if (typeof name !== 'string') throw new OutputFault('A resource_link block must have a name');
  if (!revision.resourceLinks) return encodeTextBlock(uri);
  for (const [member, text] of Object.entries({ title, description, mimeType })) {
    if (text !== undefined && typeof text !== 'string') {
      throw new OutputFault(`${member} of a resource_link block must be a string`);
    }
  }
  if (size !== undefined && !Number.isSafeInteger(size)) {
    throw new OutputFault('size of a resource_link block must be an integer');
  }
  const shownIcons = revision.icons ? icons : undefined;
  const own = { type, uri, name, title, description, mimeType, size, icons: shownIcons };
  return encode({ ...own, ...shared(block, revision) });
}

/** `annotations` and `_meta` as the revision knows them (META-19, META-23). */
function shared(block: Record<string, unknown>, revision: Revision): { annotations?: unknown; _meta?: unknown } {
  const { annotations, _meta } = block;
  if (annotations === undefined && _meta === undefined) return {};
  if (annotations !== undefined && !isObject(annotations)) {
    throw new OutputFault('annotations of a content block must be an object');
  }
  const { lastModified: _later, ...known } = annotations ?? {};
  return {
    annotations: annotations === undefined || revision.lastModified ? annotations : known,
    _meta: revision.titles ? metaMember(_meta) : undefined,
  };
}

function metaMember(meta: unknown): unknown {
  if (meta !== undefined && !isObject(meta)) throw new OutputFault('_meta must be an object');
  return meta;
}

function isBytes(value: unknown): value is object {
  return typeof value === 'object' && value !== null && bytesOf(value) !== undefined;
}

function base64Member(value: unknown, what: string): string {
  if (typeof value === 'string') {
    if (isBase64(value)) return value;
  } else if (typeof value === 'object' && value !== null) {
    const bytes = bytesOf(value);
    if (bytes !== undefined) return toBase64(bytes);
  }
  throw new OutputFault(`${what} must be bytes or base64`);
}

function mimeTypeMember(value: unknown, what: string): string {
  if (typeof value === 'string' && MIME_TYPE.test(value)) return value;
  throw new OutputFault(`${what} must have a valid mimeType`);
}
