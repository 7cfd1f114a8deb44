import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Outbox } from '../../../src/transport/stdio/outbox.js';

function outboxOn(output: PassThrough) {
  const events: string[] = [];
  const outbox = new Outbox(output, {
    blocked: () => events.push('blocked'),
    free: () => events.push('free'),
    broken: () => events.push('broken'),
  });
  return { outbox, events };
}

describe('Outbox', () => {
  it('writes what one turn says in one write, one message a line', async () => {
    const output = new PassThrough();
    const chunks: string[] = [];
    output.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    const { outbox } = outboxOn(output);
    void Promise.resolve().then(() => {
      outbox.send('1');
      void Promise.resolve().then(() => outbox.send('2'));
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(chunks).toEqual(['1\n2\n']);
  });

  it('holds back while the reader is slow, and goes on when it reads', async () => {
    const output = new PassThrough({ highWaterMark: 10 });
    const { outbox, events } = outboxOn(output);
    outbox.send('x'.repeat(20));
    await new Promise((resolve) => setImmediate(resolve));
    outbox.send('later');
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual(['blocked']);
    expect(output.readableLength).toBe(21);
    const text: string[] = [];
    output.on('data', (chunk: Buffer) => text.push(chunk.toString()));
    await outbox.emptied();
    expect(events).toContain('free');
    await new Promise((resolve) => setImmediate(resolve));
    expect(text.join('')).toBe(`${'x'.repeat(20)}\nlater\n`);
  });

  it('says nothing after the other side broke, and tells once', async () => {
    const output = new PassThrough();
    const { outbox, events } = outboxOn(output);
    output.destroy(Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
    await new Promise((resolve) => setImmediate(resolve));
    outbox.send('lost');
    await outbox.emptied();
    expect(events).toEqual(['broken']);
  });
});
