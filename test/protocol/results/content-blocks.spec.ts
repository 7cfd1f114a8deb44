import { describe, expect, it } from 'vitest';
import { bytesBlock, encodeBlock, isContentBlock } from '../../../src/protocol/results/content-blocks.js';
import { OutputFault } from '../../../src/protocol/errors.js';
import { findRevision, type Revision } from '../../../src/protocol/revisions.js';

function revision(name: string): Revision {
  const found = findRevision(name);
  if (found === undefined) throw new Error(name);
  return found;
}

const modern = revision('2026-07-28');
const march = revision('2025-03-26');
const block = (value: unknown, at = modern): unknown => JSON.parse(encodeBlock(value, at));

function faultOf(value: unknown): string {
  try {
    encodeBlock(value, modern);
  } catch (error) {
    expect(error).toBeInstanceOf(OutputFault);
    return (error as Error).message;
  }
  throw new Error('was accepted');
}

describe('content blocks', () => {
  it.each([
    { type: 'text', text: '', annotations: { audience: ['user'], priority: 1 }, _meta: { a: 1 } },
    { type: 'image', data: 'AP8Q', mimeType: 'image/png' },
    { type: 'audio', data: '', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain; charset=utf-8', text: '' } },
    { type: 'resource', resource: { uri: 'a://b', blob: 'AP8Q' } },
    {
      type: 'resource_link',
      uri: 'a://b',
      name: 'b',
      title: 'B',
      size: 3,
      mimeType: 'text/plain',
      icons: [{ src: 'https://h/i' }],
    },
  ])('pass as they are: %j', (value) => {
    expect(isContentBlock(value)).toBe(true);
    expect(block(value)).toEqual(value);
  });

  it('turn bytes into base64', () => {
    const data = Buffer.from([0x00, 0xff, 0x10]);
    expect(block({ type: 'image', data, mimeType: 'image/png' })).toEqual({
      type: 'image',
      data: 'AP8Q',
      mimeType: 'image/png',
    });
    expect(block({ type: 'resource', resource: { uri: 'a://b', blob: data } })).toEqual({
      type: 'resource',
      resource: { uri: 'a://b', blob: 'AP8Q' },
    });
  });

  it('are well-formed Unicode', () => {
    expect(block({ type: 'text', text: 'a\ud83d' })).toEqual({ type: 'text', text: 'a\ufffd' });
    expect(block('a\ud83d')).toEqual({ type: 'text', text: 'a\ufffd' });
  });

  it('lose members that the protocol does not know', () => {
    expect(block({ type: 'text', text: 'x', colour: 'red' })).toEqual({ type: 'text', text: 'x' });
  });

  it.each([
    [{ type: 'text' }, 'A text block must have a text'],
    [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }, 'data of an image block must be bytes or base64'],
    [{ type: 'image', mimeType: 'image/png' }, 'data of an image block must be bytes or base64'],
    [{ type: 'audio', data: '', mimeType: 'audio' }, 'An audio block must have a valid mimeType'],
    [{ type: 'resource' }, 'Contents of a resource must be objects'],
    [{ type: 'resource', resource: { text: 'x' } }, 'Contents of a resource must have a uri'],
    [{ type: 'resource', resource: { uri: 'a://b' } }, 'Contents of a resource must have either a text or a blob'],
    [
      { type: 'resource', resource: { uri: 'a://b', text: '', blob: '' } },
      'Contents of a resource must have either a text or a blob',
    ],
    [{ type: 'resource', resource: { uri: 'a://b', text: 5 } }, 'text of a resource must be a string'],
    [{ type: 'resource_link', name: 'x' }, 'A resource_link block must have a uri'],
    [{ type: 'resource_link', uri: 'a://b' }, 'A resource_link block must have a name'],
    [
      { type: 'resource_link', uri: 'a://b', name: 'x', size: 'big' },
      'size of a resource_link block must be an integer',
    ],
    [{ type: 'resource_link', uri: 'a://b', name: 'x', title: 1 }, 'title of a resource_link block must be a string'],
    [{ type: 'text', text: 'x', annotations: [] }, 'annotations of a content block must be an object'],
    [{ type: 'text', text: 'x', _meta: 'm' }, '_meta must be an object'],
    [{ type: 'video' }, 'A content block must have the type text, image, audio, resource or resource_link'],
    [7, 'A content block must be an object or a string'],
  ])('are refused when broken: %j', (value, message) => {
    expect(faultOf(value)).toBe(message);
  });

  it('are told from data by their whole shape', () => {
    expect(isContentBlock({ type: 'text' })).toBe(false);
    expect(isContentBlock({ type: 'text', text: 'x', id: 1 })).toBe(false);
    expect(isContentBlock({ type: 'image', width: 5 })).toBe(false);
    expect(isContentBlock({ type: 'toString', text: 'x' })).toBe(false);
    expect(isContentBlock('text')).toBe(false);
  });
});

describe('content blocks by revision', () => {
  it('become text with the uri where resource_link does not exist', () => {
    const link = { type: 'resource_link', uri: 'a://b', name: 'b' };
    expect(block(link, march)).toEqual({ type: 'text', text: 'a://b' });
    expect(block(link, revision('2025-06-18'))).toEqual(link);
  });

  it('carry lastModified and _meta from 2025-06-18 on', () => {
    const value = {
      type: 'text',
      text: 'x',
      annotations: { priority: 1, lastModified: '2026-01-01T00:00:00Z' },
      _meta: { a: 1 },
    };
    expect(block(value, march)).toEqual({ type: 'text', text: 'x', annotations: { priority: 1 } });
    expect(block(value, revision('2025-06-18'))).toEqual(value);
  });

  it('carry icons from 2025-11-25 on', () => {
    const value = { type: 'resource_link', uri: 'a://b', name: 'b', icons: [{ src: 'https://h/i' }] };
    expect(block(value, revision('2025-06-18'))).toEqual({ type: 'resource_link', uri: 'a://b', name: 'b' });
    expect(block(value, revision('2025-11-25'))).toEqual(value);
  });
});

describe('bare bytes', () => {
  it.each([
    ['image/png', 'image'],
    ['Audio/wav', 'audio'],
    ['application/pdf', 'resource'],
    [undefined, 'resource'],
  ])('of type %s are a block of type %s', (mimeType, type) => {
    const made = bytesBlock(Uint8Array.of(0, 255, 1), mimeType);
    expect(made.type).toBe(type);
    expect(encodeBlock(made, modern)).toContain('AP8B');
  });

  it('are an embedded resource where no block fits better', () => {
    expect(block(bytesBlock(Uint8Array.of(0, 255, 1)))).toEqual({
      type: 'resource',
      resource: { uri: 'attachment:result', mimeType: 'application/octet-stream', blob: 'AP8B' },
    });
  });
});
