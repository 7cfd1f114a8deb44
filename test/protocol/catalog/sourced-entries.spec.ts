import { describe, expect, it } from 'vitest';
import { completionIndex } from '../../../src/protocol/catalog/catalog.js';
import { Entry, isListed, keyOf } from '../../../src/protocol/catalog/catalog-entries.js';
import type { McpContext } from '../../../src/protocol/context.js';
import type { Definition } from '../../../src/protocol/catalog/entries.js';
import type { ServerOptions } from '../../../src/protocol/server-options.js';
import { UnusableEntry, type Offer } from '../../../src/protocol/catalog/sourced-entries.js';
import { anyArguments, callOf, coreOf, send, tool, type Answer, type CallFixture } from '../core-fixture.js';

function offer(definition: Definition): Offer {
  if (isListed(definition)) {
    const entry = new Entry(definition);
    return { kind: entry.kind, key: entry.key, label: `offered ${keyOf(definition)}`, make: () => entry };
  }
  const { ref, argument, kind } = definition;
  const key = completionIndex(ref.type, ref.type === 'ref/prompt' ? ref.name : ref.uri, argument);
  return { kind, key, label: 'offered completion', make: () => Promise.resolve(definition) };
}

function broken(name: string): Offer {
  const make = (): never => {
    throw new UnusableEntry(`${name} SECRET`);
  };
  return { kind: 'tool', key: name, label: name, make };
}

const resource = (uri: string): Definition => ({
  kind: 'resource',
  source: uri,
  uri,
  name: uri,
  handler: () => `text of ${uri}`,
});
const template = (uriTemplate: string): Definition => ({
  kind: 'template',
  source: uriTemplate,
  uriTemplate,
  name: uriTemplate,
  handler: (variables) => `${uriTemplate} ${JSON.stringify(variables)}`,
});
const prompt: Definition = {
  kind: 'prompt',
  source: 'ask',
  name: 'ask',
  arguments: [{ name: 'place', required: false }],
  input: anyArguments,
  handler: () => 'asked',
};
const completion: Definition = {
  kind: 'completion',
  source: 'ask',
  ref: { type: 'ref/prompt', name: 'ask' },
  argument: 'place',
  handler: () => ['Oslo'],
};

function namesIn(result: Answer['result']): string[] {
  return (result?.['tools'] as { readonly name: string }[] | undefined)?.map(({ name }) => name) ?? [];
}

/** Offers by identity key. */
function sourced(
  catalog: readonly Definition[],
  byCaller: Readonly<Record<string, readonly Offer[]>>,
  more: Partial<ServerOptions> = {},
) {
  const asked: McpContext[] = [];
  const fixture = coreOf(catalog, {
    sources: async (context) => {
      asked.push(context);
      return byCaller[context.identityKey ?? ''] ?? [];
    },
    ...more,
  });
  const as = (identityKey: string): CallFixture => callOf('2026-07-28', { identityKey });
  const call = (who: string, method: string, params: Record<string, unknown> = {}) =>
    send(fixture, as(who), method, params);
  const names = async (who: string, params: Record<string, unknown> = {}): Promise<unknown> => {
    const { result } = await call(who, 'tools/list', params);
    return namesIn(result);
  };
  return { ...fixture, asked, as, call, names };
}

describe('entries of a source', () => {
  it('are listed with those of the catalog, in one order, to their caller alone', async () => {
    const { names } = sourced([tool('m', () => 1)], {
      alice: [offer(tool('z', () => 1)), offer(tool('a', () => 1))],
      bob: [offer(tool('n', () => 1))],
    });
    expect(await names('alice')).toEqual(['a', 'm', 'z']);
    expect(await names('bob')).toEqual(['m', 'n']);
    expect(await names('carol')).toEqual(['m']);
  });

  it('are called, and to others unknown byte for byte', async () => {
    const { call } = sourced([], { alice: [offer(tool('own', () => 'ran'))] });
    expect((await call('alice', 'tools/call', { name: 'own' })).result).toMatchObject({ content: [{ text: 'ran' }] });
    const hidden = await call('bob', 'tools/call', { name: 'own' });
    const unknown = await send(coreOf([]), callOf('2026-07-28'), 'tools/call', { name: 'own' });
    expect(hidden.outcome).toEqual(unknown.outcome);
  });

  it('may be resources, templates, prompts and completions', async () => {
    const own = [resource('own://one'), template('own://{name}'), prompt, completion].map(offer);
    const { call } = sourced([], { alice: own });
    const read = async (uri: string): Promise<unknown> => (await call('alice', 'resources/read', { uri })).result;
    expect(await read('own://one')).toMatchObject({ contents: [{ text: 'text of own://one' }] });
    expect(await read('own://two')).toMatchObject({ contents: [{ text: 'own://{name} {"name":"two"}' }] });
    expect((await call('alice', 'prompts/get', { name: 'ask' })).result).toMatchObject({ messages: [{}] });
    const complete = { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'place', value: '' } };
    expect((await call('alice', 'completion/complete', complete)).result).toMatchObject({
      completion: { values: ['Oslo'] },
    });
    for (const [list, member] of [
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
      ['prompts/list', 'prompts'],
    ] as const) {
      expect((await call('alice', list)).result?.[member]).toHaveLength(1);
      expect((await call('bob', list)).result?.[member]).toEqual([]);
    }
    expect((await call('bob', 'resources/read', { uri: 'own://one' })).error).toMatchObject({ code: -32602 });
    expect((await call('bob', 'prompts/get', { name: 'ask' })).error).toMatchObject({ code: -32602 });
    expect((await call('bob', 'completion/complete', complete)).error).toMatchObject({ code: -32602 });
  });

  it('give way to the catalog and to earlier ones; the log says so once', async () => {
    const { call, names, logged } = sourced([tool('same', () => 'catalog'), template('t://{a}')], {
      alice: [
        offer(tool('same', () => 'source')),
        offer(tool('twice', () => 'first')),
        offer(tool('twice', () => 'second')),
        offer(template('t://{+all}')),
      ],
    });
    expect(await names('alice')).toEqual(['same', 'twice']);
    expect((await call('alice', 'tools/call', { name: 'same' })).result).toMatchObject({
      content: [{ text: 'catalog' }],
    });
    expect((await call('alice', 'tools/call', { name: 'twice' })).result).toMatchObject({
      content: [{ text: 'first' }],
    });
    expect((await call('alice', 'resources/read', { uri: 't://x' })).result).toMatchObject({
      contents: [{ text: 't://{a} {"a":"x"}' }],
    });
    expect(logged.map(({ message }) => message)).toEqual([
      'offered same is left out: the catalog has it already',
      'offered twice is left out: it was offered before',
    ]);
  });

  it('are judged by visibility like all others', async () => {
    const { names, call } = sourced(
      [tool('a', () => 1)],
      { alice: [offer(tool('b', () => 1)), offer(tool('c', () => 1))] },
      { visibility: ({ key }) => key !== 'b' },
    );
    expect(await names('alice')).toEqual(['a', 'c']);
    expect((await call('alice', 'tools/call', { name: 'b' })).error).toMatchObject({ code: -32602 });
  });

  it('that cannot be used leave the others listed, and fail opaquely', async () => {
    const { names, call, logged } = sourced([], { alice: [broken('bad'), offer(tool('good', () => 1))] });
    expect(await names('alice')).toEqual(['good']);
    const { outcome, error } = await call('alice', 'tools/call', { name: 'bad' });
    expect(error).toEqual({ code: -32603, message: 'Internal error', data: { reference: expect.any(String) } });
    expect(outcome.body).not.toContain('SECRET');
    expect(logged).toHaveLength(1);
  });

  it('that cannot be used are unknown where visibility decides, since it cannot be asked', async () => {
    const { call } = sourced([], { alice: [broken('bad')] }, { visibility: () => true });
    const bad = await call('alice', 'tools/call', { name: 'bad' });
    expect(bad.outcome).toEqual((await call('bob', 'tools/call', { name: 'bad' })).outcome);
    expect(bad.error).toMatchObject({ code: -32602 });
  });

  it('are paged by key: callers who see different lists skip nothing and see nothing twice', async () => {
    const own = (prefix: string): Offer[] => [1, 2, 3, 4].map((nr) => offer(tool(`${prefix}${nr}`, () => 1)));
    const catalog = ['b0', 'm0', 'y0'].map((name) => tool(name, () => 1));
    const { call } = sourced(
      catalog,
      { alice: own('a'), zoe: own('z') },
      { pageSizes: { tools: 2, resources: 1, templates: 1, prompts: 1 } },
    );
    const page = async (who: string, cursor?: unknown): Promise<readonly [string[], unknown]> => {
      const { result } = await call(who, 'tools/list', cursor === undefined ? {} : { cursor });
      return [namesIn(result), result?.['nextCursor']];
    };
    const seen: Record<string, string[]> = { alice: [], zoe: [] };
    const cursors: Record<string, unknown> = {};
    for (let round = 0; round < 4; round += 1) {
      for (const who of ['alice', 'zoe']) {
        const [names, next] = await page(who, cursors[who]);
        seen[who]?.push(...names);
        cursors[who] = next;
      }
    }
    expect(seen).toEqual({
      alice: ['a1', 'a2', 'a3', 'a4', 'b0', 'm0', 'y0'],
      zoe: ['b0', 'm0', 'y0', 'z1', 'z2', 'z3', 'z4'],
    });
    expect(cursors).toEqual({ alice: undefined, zoe: undefined });
    // A cursor is a position, not a list: with alice's, zoe goes on in her own.
    const [, fromAlice] = await page('alice');
    expect((await page('zoe', fromAlice))[0]).toEqual(['b0', 'm0']);
  });
});

describe('a source', () => {
  it('is asked once for a message, headers and answer together, and not where the catalog knows', async () => {
    const input = {
      ...anyArguments,
      wire: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    };
    const { core, asked, as } = sourced([tool('fixed', () => 1)], { alice: [offer(tool('own', () => 1, { input }))] });
    const request = (name: string) =>
      ({ kind: 'request', id: 1, method: 'tools/call', params: { name, arguments: { region: 'eu' } } }) as const;
    const { call } = as('alice');
    expect(await core.mirrored(request('own'), call)).toEqual([
      { header: 'Mcp-Name', value: 'own' },
      { header: 'Mcp-Param-Region', value: 'eu' },
    ]);
    await core.handle(request('own'), call);
    expect(asked).toHaveLength(1);
    const fixed = as('alice').call;
    await core.mirrored(request('fixed'), fixed);
    await core.handle(request('fixed'), fixed);
    expect(asked).toHaveLength(1);
  });

  it('that throws fails the request opaquely, header checks included', async () => {
    const fixture = coreOf([tool('fixed', () => 'ran')], { sources: () => Promise.reject(new Error('SECRET')) });
    const list = await send(fixture, callOf('2026-07-28'), 'tools/list');
    expect(list.error).toMatchObject({ code: -32603, message: 'Internal error' });
    expect(list.outcome.body).not.toContain('SECRET');
    const { call } = callOf('2026-07-28');
    const request = { kind: 'request', id: 1, method: 'tools/call', params: { name: 'other' } } as const;
    await expect(Promise.resolve(fixture.core.mirrored(request, call))).rejects.toMatchObject({
      code: -32603,
      message: 'Internal error',
      status: 200,
    });
    const answer = await send(fixture, callOf('2026-07-28'), 'tools/call', { name: 'fixed' });
    expect(answer.result).toMatchObject({ content: [{ text: 'ran' }] });
    expect(fixture.logged).toHaveLength(2);
  });

  it('lets the server announce what it may offer', async () => {
    const capabilities = async (more: Partial<ServerOptions>): Promise<unknown> =>
      (await send(coreOf([], more), callOf('2026-07-28'), 'server/discover')).result?.['capabilities'];
    expect(await capabilities({})).not.toHaveProperty('completions');
    expect(await capabilities({ sources: async () => [] })).toMatchObject({ completions: {} });
  });
});

describe('visibility that throws', () => {
  it('fails the check of headers as it fails the call', () => {
    const fixture = coreOf([tool('t', () => 1)], {
      visibility: () => {
        throw new Error('SECRET');
      },
    });
    const request = { kind: 'request', id: 1, method: 'tools/call', params: { name: 't' } } as const;
    expect(() => fixture.core.mirrored(request, callOf('2026-07-28').call)).toThrow('Internal error');
    expect(fixture.logged).toHaveLength(1);
  });
});
