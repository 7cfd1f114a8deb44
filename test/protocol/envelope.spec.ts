import { describe, expect, it } from 'vitest';
import type { PromptDefinition } from '../../src/protocol/catalog/entries.js';
import type { RevisionName } from '../../src/protocol/revisions.js';
import { anyArguments, callOf, coreOf, send, tool } from './core-fixture.js';

const hello = tool('hello', () => 'hi');
const ask: PromptDefinition = {
  kind: 'prompt',
  name: 'ask',
  source: 'P.ask',
  arguments: [],
  input: anyArguments,
  handler: () => 'hi',
};

describe('cache hints', () => {
  it('are of lists and of what is read, not of what is called', async () => {
    const hint = { ttlMs: 5_000, scope: 'private' } as const;
    const fixture = coreOf([hello, ask], {
      cache: { tools: hint, resources: hint, prompts: hint, discover: hint, read: hint },
    });
    for (const [method, name] of [
      ['prompts/get', 'ask'],
      ['tools/call', 'hello'],
    ] as const) {
      const { result } = await send(fixture, callOf('2026-07-28'), method, { name });
      expect(result).toMatchObject({ resultType: 'complete' });
      expect(result).not.toHaveProperty('ttlMs');
      expect(result).not.toHaveProperty('cacheScope');
    }
    expect((await send(fixture, callOf('2026-07-28'), 'prompts/list')).result).toMatchObject({ ttlMs: 5_000 });
    expect((await send(fixture, callOf('2025-11-25'), 'prompts/list')).result).not.toHaveProperty('ttlMs');
  });
});

describe('answers that nobody asked for', () => {
  const inputResponses = { confirm: { action: 'accept', content: {} } };

  it('change nothing of a tool that asks nothing', async () => {
    const call = (params: object) =>
      send(coreOf([hello]), callOf('2026-07-28'), 'tools/call', { name: 'hello', ...params });
    expect((await call({ inputResponses })).outcome.body).toBe((await call({})).outcome.body);
  });

  it.each<RevisionName>(['2025-03-26', '2025-06-18', '2025-11-25'])('are no words of %s', async (revision) => {
    const call = (params: object) =>
      send(coreOf([hello]), callOf(revision), 'tools/call', { name: 'hello', ...params });
    expect((await call({ inputResponses, requestState: 'forged' })).outcome.body).toBe((await call({})).outcome.body);
  });
});
