import { type ContentBlock, encodeBlock } from './content-blocks.js';
import { encodeText } from './encoder.js';
import { OutputFault } from '../errors.js';
import { joinItems } from '../items.js';
import { isObject, type ReadonlyJsonObject } from '../json/json.js';
import { metaText, type ResultText } from './result-text.js';
import type { Revision } from '../revisions.js';

/** One message of a prompt; a string as content is a text block. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock | string;
}

/** What a prompt may return, besides a string and an array of messages. */
export interface PromptResult {
  readonly messages: readonly (PromptMessage | string)[];
  readonly description?: string;
  readonly _meta?: ReadonlyJsonObject;
}

/**
 * What a prompt returned, as a `GetPromptResult` (PROM-04, PROM-05). A string is one message of the user, also within
 * an array of messages. Throws `OutputFault` for another shape, role or content.
 */
export function toPromptResult(value: unknown, revision: Revision): ResultText {
  if (typeof value === 'string' || Array.isArray(value)) return { members: messages(value, revision) };
  if (!isObject(value) || !Array.isArray(value.messages)) {
    throw new OutputFault('A prompt must return a string, an array of messages or { messages, description }');
  }
  const { description } = value;
  if (description !== undefined && typeof description !== 'string') {
    throw new OutputFault('description of a prompt must be a string');
  }
  const opening = description === undefined ? '' : `"description":${encodeText(description)},`;
  const members = opening + messages(value.messages, revision);
  const meta = metaText(value._meta);
  return meta === undefined ? { members } : { members, meta };
}

function messages(value: string | readonly unknown[], revision: Revision): string {
  const list = typeof value === 'string' ? [value] : value;
  return `"messages":[${joinItems(list, (message) => messageText(message, revision))}]`;
}

function messageText(message: unknown, revision: Revision): string {
  if (typeof message === 'string') return `{"role":"user","content":${encodeBlock(message, revision)}}`;
  if (!isObject(message) || (message.role !== 'user' && message.role !== 'assistant')) {
    throw new OutputFault('A message of a prompt must have the role user or assistant');
  }
  return `{"role":"${message.role}","content":${encodeBlock(message.content, revision)}}`;
}
