import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/protocol/catalog/catalog.js';
import type { Definition } from '../../../src/protocol/catalog/entries.js';
import { anyArguments, callOf, coreOf, send, tool, type CoreFixture } from '../core-fixture.js';

const handler = (): string => 'x';
const KINDS = [
  ['tools/list', 'tools', 'name', (key: string): Definition => tool(key, handler)],
  [
    'resources/list',
    'resources',
    'uri',
    (key: string): Definition => ({ kind: 'resource', uri: `x://${key}`, name: key, source: 'R', handler }),
  ],
  [
    'resources/templates/list',
    'resourceTemplates',
    'uriTemplate',
    (key: string): Definition => ({ kind: 'template', uriTemplate: `x://${key}/{v}`, name: key, source: 'R', handler }),
  ],
  [
    'prompts/list',
    'prompts',
    'name',
    (key: string): Definition => ({
      kind: 'prompt',
      name: key,
      source: 'P',
      arguments: [],
      input: anyArguments,
      handler,
    }),
  ],
] as const;

const two = { pageSizes: { tools: 2, resources: 2, templates: 2, prompts: 2 } };

async function page(fixture: CoreFixture, method: string, cursor?: unknown) {
  return send(fixture, callOf('2025-11-25'), method, cursor === undefined ? {} : { cursor });
}

describe.each(KINDS)('%s', (method, member, key, define) => {
  const keysOf = (result: Record<string, unknown> | undefined): string[] => {
    const listed = result?.[member] as Record<string, unknown>[] | undefined;
    if (listed === undefined) throw new Error('there is no list');
    return listed.map((entry) => String(entry[key]));
  };
  const all = async (fixture: CoreFixture): Promise<string[]> => {
    const keys: string[] = [];
    let cursor: unknown;
    do {
      const { result } = await page(fixture, method, cursor);
      keys.push(...keysOf(result));
      cursor = result?.['nextCursor'];
    } while (cursor !== undefined);
    return keys;
  };

  it('is sorted, and comes in pages of which the last has no cursor', async () => {
    const fixture = coreOf(['c', 'a', 'b'].map(define), two);
    const first = await page(fixture, method);
    expect(keysOf(first.result)).toHaveLength(2);
    const last = await page(fixture, method, first.result?.['nextCursor']);
    expect(last.result).not.toHaveProperty('nextCursor');
    const keys = [...keysOf(first.result), ...keysOf(last.result)];
    expect(keys).toHaveLength(3);
    expect(keys).toEqual(keys.toSorted((one, other) => (one < other ? -1 : 1)));
  });

  it('is one page when it fits, and an empty one when there is nothing', async () => {
    expect((await page(coreOf(['a', 'b'].map(define), two), method)).result).not.toHaveProperty('nextCursor');
    expect((await page(coreOf([]), method)).result).toEqual({ [member]: [] });
  });

  it('begins again with a null cursor, and gives the same cursor for the same place', async () => {
    const fixture = coreOf(['a', 'b', 'c'].map(define), two);
    const [one, other] = await Promise.all([page(fixture, method), page(fixture, method, null)]);
    expect(other.outcome.body).toBe(one.outcome.body);
  });

  it('refuses what is no cursor, and that of another list, without repeating it', async () => {
    const fixture = coreOf(
      KINDS.flatMap(([, , , each]) => ['a', 'b', 'c'].map(each)),
      two,
    );
    const [elsewhere = ''] = KINDS.map(([other]) => other).filter((other) => other !== method);
    const foreign = (await page(fixture, elsewhere)).result?.['nextCursor'];
    for (const cursor of ['', 'junk', 7, {}, [], 'bm8', foreign]) {
      const { error } = await page(fixture, method, cursor);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toMatch(/^cursor (is malformed|belongs to another list, not )/);
    }
  });

  it('skips nobody who stays, whatever comes and goes between pages', async () => {
    const keys = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(keys, keys, keys, async (staying, coming, going) => {
        const others = (names: readonly string[]): string[] => names.filter((name) => !staying.includes(name));
        const { catalog } = Catalog.build([...staying, ...others(going)].map(define));
        if (catalog === undefined) throw new Error('it has no fault');
        const fixture = coreOf([], { ...two, catalog });
        const first = await page(fixture, method);
        catalog.replace([...staying, ...others(coming)].map(define));
        const seen = keysOf(first.result);
        for (let cursor = first.result?.['nextCursor']; cursor !== undefined;) {
          const { result } = await page(fixture, method, cursor);
          seen.push(...keysOf(result));
          cursor = result?.['nextCursor'];
        }
        const wanted = await all(coreOf(staying.map(define)));
        return wanted.every((each) => seen.includes(each)) && new Set(seen).size === seen.length;
      }),
      { numRuns: 60 },
    );
  });

  it('shows two callers each their own pages, and a cursor of one is only a place to the other', async () => {
    const fixture = coreOf(['a', 'b', 'c', 'd', 'e'].map(define), {
      ...two,
      visibility: (entry, { identityKey }) =>
        (identityKey === 'odd') === /[ace]/.test(entry.key.replace('x://', '')[0] ?? ''),
    });
    const list = async (identityKey: string, cursor?: unknown) =>
      (await send(fixture, callOf('2025-11-25', { identityKey }), method, cursor === undefined ? {} : { cursor }))
        .result;
    const letters = (result: Record<string, unknown> | undefined): string =>
      keysOf(result)
        .map((each) => each.replace('x://', '')[0])
        .join('');
    const odd = await list('odd');
    expect([letters(odd), letters(await list('even'))]).toEqual(['ac', 'bd']);
    expect(letters(await list('odd', odd?.['nextCursor']))).toBe('e');
    expect(letters(await list('even', odd?.['nextCursor']))).toBe('d');
  });
});
