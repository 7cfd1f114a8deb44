import {
  bytesBlock,
  type ContentBlock,
  encodeBlock,
  encodeTextBlock,
  hasBlockType,
  isContentBlock,
} from './content-blocks.js';
import { encode } from './encoder.js';
import type { ResultSchema } from '../catalog/entries.js';
import { OutputFault } from '../errors.js';
import { everyItem, joinItems } from '../items.js';
import { isObject, type ReadonlyJsonObject } from '../json/json.js';
import { bytesOf, toPlainData } from './plain-data.js';
import { metaText, type ResultText } from './result-text.js';
import type { Revision } from '../revisions.js';

export interface ToolResultOptions {
  readonly revision: Revision;
  /** Cuts and checks the structured content. */
  readonly output?: ResultSchema;
  /** MIME type of bare bytes. Default `application/octet-stream`. */
  readonly mimeType?: string;
}

export interface ToolResultText extends ResultText {
  readonly isError: boolean;
}

export interface McpResultParts {
  /** Content blocks; a string is a text block. Default: the structured content as JSON text. */
  readonly content?: readonly (ContentBlock | string)[] | undefined;
  /** Any JSON value; cut and checked by the output schema where there is one. */
  readonly structured?: unknown;
  /** The call failed and the model should know. Never checked against the output schema. */
  readonly isError?: boolean | undefined;
  /** `_meta` of the result. */
  readonly meta?: ReadonlyJsonObject | undefined;
}

/** A tool's result in parts. Made by `mcpResult`. */
export class McpResult {
  constructor(readonly parts: McpResultParts) {}
}

/** A tool's result in parts: content, structured content, failure and `_meta` in any mixture. */
export function mcpResult(parts: McpResultParts): McpResult {
  return new McpResult(parts);
}

const CALL_TOOL_RESULT_KEYS = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);

/**
 * What a tool returned, as a `CallToolResult`. A string is one text block; an object, array, number or boolean is
 * structured content and the same JSON as text; undefined and null are empty content; bytes are a block by MIME type;
 * NaN, infinities and BigInts are their word; content blocks, whole `CallToolResult`s and `mcpResult`s are checked. With
 * an output schema the value itself is structured content, whatever it looks like, unless it is a whole result. Throws
 * `OutputFault` (`EncodeError` among them): the caller logs it and answers an opaque failure.
 */
export function toToolResult(value: unknown, options: ToolResultOptions): ToolResultText {
  const parts = value instanceof McpResult ? value.parts : wholeResult(value, options.output !== undefined);
  if (parts !== undefined) return fromParts(parts, options);
  if (options.output !== undefined) return fromParts({ structured: value }, options);
  const content = contentOf(value, options);
  return content === undefined ? fromParts({ structured: value }, options) : resultText(content);
}

/**
 * An `isError` result with this text, and `data` as a second text block of JSON. `data` is structured content too when
 * the tool declares no output schema (TOOL-19). Throws `EncodeError` for data without a JSON form.
 */
export function toToolError(message: string, data: unknown, options: ToolResultOptions): ToolResultText {
  if (data === undefined) return fromParts({ content: [message], isError: true }, options);
  const structured = toPlainData(data);
  return fromParts({ content: [message, encode(structured)], structured, isError: true }, options, true);
}

/** A `CallToolResult`, unless its members say that it is the host's own data. */
function wholeResult(value: unknown, hasOutput: boolean): McpResultParts | undefined {
  if (!isObject(value)) return undefined;
  const { content, structuredContent, isError, _meta } = value;
  const meant = structuredContent !== undefined || (isBlockArray(content) && (!hasOutput || isError === true));
  if (!meant || !Object.keys(value).every((key) => CALL_TOOL_RESULT_KEYS.has(key))) return undefined;
  if (content !== undefined && !Array.isArray(content)) throw new OutputFault('content must be an array');
  if (isError !== undefined && typeof isError !== 'boolean') throw new OutputFault('isError must be a boolean');
  return {
    content: content as ContentBlock[] | undefined,
    structured: structuredContent,
    isError,
    meta: _meta as ReadonlyJsonObject | undefined,
  };
}

/** Blocks by intention: what is wrong with one of them is reported, not sent as data. */
function isBlockArray(content: unknown): boolean {
  return Array.isArray(content) && everyItem(content, hasBlockType);
}

/** Content of a value that has no structured form; undefined for all others. */
function contentOf(value: unknown, { revision, mimeType }: ToolResultOptions): string | undefined {
  switch (typeof value) {
    case 'string':
      return encodeTextBlock(value);
    case 'number':
      return Number.isFinite(value) ? undefined : encodeTextBlock(String(value));
    case 'bigint':
      return encodeTextBlock(String(value));
    case 'boolean':
      return undefined;
    case 'undefined':
      return '';
    case 'object':
      break;
    default:
      throw new OutputFault(`A ${typeof value} is no result`);
  }
  if (value === null) return '';
  const bytes = bytesOf(value);
  if (bytes !== undefined) return encodeBlock(bytesBlock(bytes, mimeType), revision);
  if (isContentBlock(value)) return encodeBlock(value, revision);
  if (!Array.isArray(value) || value.length === 0 || !everyItem(value, isContentBlock)) return undefined;
  return joinItems(value, (block) => encodeBlock(block, revision));
}

/** `complete`: the given content already holds the structured content as text. */
function fromParts(parts: McpResultParts, options: ToolResultOptions, complete = false): ToolResultText {
  const { output, revision } = options;
  const isError = parts.isError === true;
  const blocks = blocksOf(parts, revision);
  const meta = metaText(parts.meta);
  if (parts.structured === undefined) {
    if (output !== undefined && !isError)
      throw new OutputFault('The tool declares an output schema: structured content is missing');
    return resultText(blocks ?? '', '', isError, meta);
  }
  const data = checked(parts.structured, isError ? undefined : output);
  // A value that turned out to be text (a Date, what toJSON gave) or nothing is treated as one, where no schema asks.
  if (output === undefined && blocks === undefined && (typeof data === 'string' || data === null)) {
    return resultText(data === null ? '' : encodeTextBlock(data), '', isError, meta);
  }
  const json = encode(data);
  const structured = isStructured(data, options, isError) ? `,"structuredContent":${json}` : '';
  // Beside content of the author's own the JSON text is needed only where the value is no object (TOOL-20).
  if (blocks === undefined || (!complete && !isObject(data))) {
    const block = encodeTextBlock(structured === '' && typeof data === 'string' ? data : json);
    return resultText(
      blocks === undefined ? block : `${blocks}${blocks === '' ? '' : ','}${block}`,
      structured,
      isError,
      meta,
    );
  }
  return resultText(blocks, structured, isError, meta);
}

/** Undefined where the author gave no content. */
function blocksOf({ content }: McpResultParts, revision: Revision): string | undefined {
  if (content === undefined || content === null) return undefined;
  if (!Array.isArray(content)) throw new OutputFault('content must be an array');
  return joinItems(content, (block) => encodeBlock(block, revision));
}

/** Whether the revision has structured content of this kind (TOOL-16, TOOL-17). */
function isStructured(data: unknown, { revision, output }: ToolResultOptions, isError: boolean): boolean {
  if (isError && output !== undefined) return false;
  if (revision.structured === 'any') return true;
  return revision.structured === 'object' && isObject(data) && (output === undefined || output.wire.type === 'object');
}

/** As plain data, cut to the output schema. */
function checked(value: unknown, output: ResultSchema | undefined): unknown {
  const data = toPlainData(value);
  if (output === undefined) return data;
  const parsed = output.parse(data);
  if (parsed.ok) return parsed.value;
  const rules = parsed.violations.map(({ path, rule }) => `${path} ${rule}`).join('; ');
  throw new OutputFault(`The result breaks its output schema: ${rules}`);
}

function resultText(content: string, structured = '', isError = false, meta?: string): ToolResultText {
  const members = `"content":[${content}]${structured},"isError":${isError}`;
  return meta === undefined ? { members, isError } : { members, isError, meta };
}
