import { describe, expect, it } from 'vitest';
import { extended, without } from '../../../src/entries/catalog-edit.js';
import type { Definition, ResourceDefinition } from '../../../src/protocol/catalog/entries.js';
import { REVISIONS } from '../../../src/protocol/revisions.js';
import { SKILLS_EXTENSION } from '../../../src/protocol/catalog/skill-index.js';
import type { ServerOptions, Visibility } from '../../../src/protocol/server-options.js';
import { callOf, coreOf, send, type Answer } from '../core-fixture.js';

const digest = `sha256:${'0'.repeat(64)}`;

/** The files of a skill as the folder of the host gives them. */
function skill(name: string, paths: readonly string[] = []): ResourceDefinition[] {
  const root = `skill://${name}`;
  const of = `${root}/SKILL.md`;
  const file = (uri: string, more: Partial<ResourceDefinition> = {}): ResourceDefinition => ({
    kind: 'resource',
    source: 'skills',
    uri,
    name: uri.slice(uri.lastIndexOf('/') + 1),
    mimeType: 'text/markdown',
    size: uri.length,
    handler: () => `text of ${uri}`,
    skill: { of, digest, size: uri.length },
    ...more,
  });
  const frontmatter = { name, description: `About ${name}`, license: 'MIT' };
  return [
    file(of, { name, description: frontmatter.description, skill: { of, digest, size: of.length, frontmatter } }),
    ...paths.map((path) => file(`${root}/${path}`)),
  ];
}

const PDF = skill('pdf', ['forms.md', 'forms/a.md', 'forms/deep/b.md', 'scripts/run%20it.py']);
const GIT = skill('git');
const PLAIN: Definition = { kind: 'resource', source: 'r', uri: 'about://x', name: 'x', handler: () => 'x' };

function serving(definitions: readonly Definition[] = [...PDF, PLAIN, ...GIT], more: Partial<ServerOptions> = {}) {
  const fixture = coreOf(definitions, { skills: true, ...more });
  return (method: string, params: Record<string, unknown> = {}): Promise<Answer> =>
    send(fixture, callOf('2026-07-28'), method, params);
}

const urisIn = (items: unknown): unknown[] => (items as { uri: string }[]).map(({ uri }) => uri);

/** The uris of the files of a skill, as an entry names them. */
const filesIn = (skill: unknown): unknown[] => urisIn((skill as { resources: unknown }).resources);

/** Every page of a list. */
async function walk(
  ask: ReturnType<typeof serving>,
  method: string,
  member: string,
  params: Record<string, unknown> = {},
): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let cursor: unknown;
  do {
    const { result, error } = await ask(method, cursor === undefined ? params : { ...params, cursor });
    if (result === undefined) throw new Error(error?.message);
    pages.push(urisIn(result[member]));
    cursor = result['nextCursor'];
  } while (cursor !== undefined);
  return pages;
}

describe('the skills extension', () => {
  it('is declared with directoryRead where its methods exist', async () => {
    const { result } = await serving()('server/discover');
    expect(result?.['capabilities']).toMatchObject({
      resources: {},
      extensions: { [SKILLS_EXTENSION]: { directoryRead: true } },
    });
  });

  it.each(REVISIONS.filter(({ era }) => era === 'legacy').map(({ name }) => name))(
    'is neither declared nor served in %s',
    async (name) => {
      const fixture = coreOf(PDF, { skills: true });
      const handshake = { protocolVersion: name, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      const { result } = await send(fixture, callOf(name), 'initialize', handshake);
      expect(result?.['capabilities']).not.toHaveProperty('extensions');
      for (const method of ['skills/list', 'skills/get', 'resources/directory/read']) {
        expect((await send(fixture, callOf(name), method, { uri: PDF[0]?.uri })).error?.code).toBe(-32601);
      }
    },
  );

  it('does not exist where the host offers no skills', async () => {
    const ask = serving([PLAIN], { skills: false });
    expect((await ask('server/discover')).result?.['capabilities']).not.toHaveProperty('extensions');
    for (const method of ['skills/list', 'skills/get', 'resources/directory/read']) {
      expect(await ask(method, { uri: 'about://x' })).toMatchObject({ status: 404, error: { code: -32601 } });
    }
  });
});

describe('skills/list', () => {
  it('answers each skill with its frontmatter and every file of it once', async () => {
    const { result } = await serving()('skills/list');
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(result).not.toHaveProperty('nextCursor');
    expect(result?.['skills']).toEqual([
      {
        uri: 'skill://git/SKILL.md',
        frontmatter: { name: 'git', description: 'About git', license: 'MIT' },
        resources: [{ uri: 'skill://git/SKILL.md', digest, size: 20 }],
      },
      {
        uri: 'skill://pdf/SKILL.md',
        frontmatter: { name: 'pdf', description: 'About pdf', license: 'MIT' },
        resources: PDF.map(({ uri }) => ({ uri, digest, size: uri.length })),
      },
    ]);
  });

  it('says what the host allows to be cached', async () => {
    const hint = { ttlMs: 60_000, scope: 'public' } as const;
    const none = { ttlMs: 0, scope: 'private' } as const;
    const ask = serving(PDF, {
      cache: { tools: none, prompts: none, discover: none, resources: hint, read: { ...hint, ttlMs: 5 } },
    });
    expect((await ask('skills/list')).result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
    const uri = 'skill://pdf/SKILL.md';
    expect((await ask('skills/get', { uri })).result).toMatchObject({ ttlMs: 5, cacheScope: 'public' });
    const folder = await ask('resources/directory/read', { uri: 'skill://pdf' });
    expect(folder.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
  });

  it('goes page by page, each skill whole', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const pageSizes = { tools: 1, resources: 2, templates: 1, prompts: 1 };
    const ask = serving(
      names.flatMap((name) => skill(name, ['x.md', 'y.md'])),
      { pageSizes },
    );
    const uris = names.map((name) => `skill://${name}/SKILL.md`);
    expect(await walk(ask, 'skills/list', 'skills')).toEqual([uris.slice(0, 2), uris.slice(2, 4), uris.slice(4)]);
  });

  it.each(['', 'garbage', 7])('refuses the cursor %j', async (cursor) => {
    expect((await serving()('skills/list', { cursor })).error?.code).toBe(-32602);
  });

  it('refuses the cursor of another list', async () => {
    const pageSizes = { tools: 1, resources: 1, templates: 1, prompts: 1 };
    const ask = serving(undefined, { pageSizes });
    const { result } = await ask('resources/list');
    expect((await ask('skills/list', { cursor: result?.['nextCursor'] })).error?.code).toBe(-32602);
  });

  it('answers an empty list when the last skill is gone', async () => {
    const rest = without([...GIT, PLAIN], 'resource', 'skill://git/SKILL.md');
    expect((await serving(rest)('skills/list')).result?.['skills']).toEqual([]);
  });
});

describe('skills/get', () => {
  it('answers what the list says of the skill', async () => {
    const ask = serving();
    const { result } = await ask('skills/list');
    const skills = result?.['skills'] as { uri: string }[] | undefined;
    expect(skills).toHaveLength(2);
    for (const listed of skills ?? []) {
      const got = await ask('skills/get', { uri: listed.uri });
      expect(got.result?.['skill']).toEqual(listed);
      expect(got.result).not.toHaveProperty('nextCursor');
    }
  });

  it.each(['skill://none/SKILL.md', 'skill://pdf', 'skill://pdf/forms.md', 'about://x', ''])(
    'does not know %j',
    async (uri) => {
      const { status, error } = await serving()('skills/get', { uri });
      expect({ status, error }).toEqual({
        status: 200,
        error: { code: -32602, message: 'Skill not found', data: { uri } },
      });
    },
  );

  it.each([undefined, null, 7])('wants a text for a uri, not %j', async (uri) => {
    expect((await serving()('skills/get', { uri })).error?.code).toBe(-32602);
  });
});

describe('files of skills', () => {
  it('are listed by their SKILL.md alone, and read by their uri', async () => {
    const ask = serving();
    const { result } = await ask('resources/list');
    expect(urisIn(result?.['resources'])).toEqual(['about://x', 'skill://git/SKILL.md', 'skill://pdf/SKILL.md']);
    expect((result?.['resources'] as unknown[] | undefined)?.[2]).toEqual({
      uri: 'skill://pdf/SKILL.md',
      name: 'pdf',
      description: 'About pdf',
      mimeType: 'text/markdown',
      size: 20,
    });
    for (const { uri } of PDF) {
      const read = await ask('resources/read', { uri });
      expect(read.result?.['contents']).toEqual([{ uri, mimeType: 'text/markdown', text: `text of ${uri}` }]);
    }
  });

  it('go with their skill when it is removed or replaced', () => {
    const uri = 'skill://pdf/SKILL.md';
    const all = [...PDF, PLAIN, ...GIT];
    expect(without(all, 'resource', uri)).toEqual([PLAIN, ...GIT]);
    const other: Definition = { ...PLAIN, uri };
    expect(extended(all, [other], true)).toEqual([PLAIN, ...GIT, other]);
  });

  it('are no longer of a skill once they were removed', async () => {
    const ask = serving(without(PDF, 'resource', 'skill://pdf/forms.md'));
    const { result } = await ask('skills/get', { uri: 'skill://pdf/SKILL.md' });
    expect(filesIn(result?.['skill'])).not.toContain('skill://pdf/forms.md');
  });
});

describe('resources/directory/read', () => {
  it.each([
    ['skill://git', ['skill://git/SKILL.md']],
    ['skill://pdf', ['skill://pdf/SKILL.md', 'skill://pdf/forms', 'skill://pdf/forms.md', 'skill://pdf/scripts']],
    ['skill://pdf/forms', ['skill://pdf/forms/a.md', 'skill://pdf/forms/deep']],
    ['skill://pdf/forms/deep', ['skill://pdf/forms/deep/b.md']],
  ])('answers the direct children of %s', async (uri, children) => {
    const { result } = await serving()('resources/directory/read', { uri });
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(urisIn(result?.['resources'])).toEqual(children);
  });

  it('lists files as resources and folders as directories', async () => {
    const ask = serving(skill('pdf', ['my%20forms/a.md']));
    const { result } = await ask('resources/directory/read', { uri: 'skill://pdf' });
    expect(result?.['resources']).toEqual([
      { uri: 'skill://pdf/SKILL.md', name: 'pdf', description: 'About pdf', mimeType: 'text/markdown', size: 20 },
      { uri: 'skill://pdf/my%20forms', name: 'my forms', mimeType: 'inode/directory' },
    ]);
  });

  it.each([
    'skill://pdf/SKILL.md',
    'skill://pdf/forms.md',
    'skill://pdf/',
    'skill://pdf/forms/',
    'skill://pdf/none',
    'skill://pd',
    'skill://',
    'skill://pdf/forms/..',
    'skill://pdf/../git',
    'about://x',
    '',
  ])('says that %j is no directory', async (uri) => {
    const { status, error } = await serving()('resources/directory/read', { uri });
    expect({ status, error }).toEqual({
      status: 200,
      error: { code: -32602, message: 'Not a directory', data: { uri } },
    });
  });

  it('goes page by page, and takes a cursor for its own directory only', async () => {
    const pageSizes = { tools: 1, resources: 1, templates: 1, prompts: 1 };
    const ask = serving(undefined, { pageSizes });
    const method = 'resources/directory/read';
    expect(await walk(ask, method, 'resources', { uri: 'skill://pdf' })).toEqual([
      ['skill://pdf/SKILL.md'],
      ['skill://pdf/forms'],
      ['skill://pdf/forms.md'],
      ['skill://pdf/scripts'],
    ]);
    const { result } = await ask(method, { uri: 'skill://pdf' });
    const cursor = result?.['nextCursor'];
    expect((await ask(method, { uri: 'skill://pdf/forms', cursor })).error).toMatchObject({
      code: -32602,
      message: 'cursor belongs to another directory',
    });
    expect((await ask('skills/list', { cursor })).error?.code).toBe(-32602);
  });
});

describe('visibility of skills', () => {
  const unless =
    (...hidden: readonly string[]): Visibility =>
    async ({ key }) =>
      !hidden.includes(key);

  it('hides a skill with all that it holds, as if it did not exist', async () => {
    const ask = serving(undefined, { visibility: unless('skill://pdf/SKILL.md') });
    expect(await walk(ask, 'skills/list', 'skills')).toEqual([['skill://git/SKILL.md']]);
    const seen = async (method: string, uri: string, standIn: string): Promise<void> => {
      const [hidden, unknown] = [await ask(method, { uri }), await ask(method, { uri: standIn })];
      expect(hidden.error).toBeDefined();
      expect(JSON.stringify(hidden).replaceAll(uri, standIn)).toBe(JSON.stringify(unknown));
    };
    for (const { uri } of PDF) {
      await seen('resources/read', uri, 'skill://none/SKILL.md');
      await seen('skills/get', uri, 'skill://none/SKILL.md');
    }
    for (const folder of ['skill://pdf', 'skill://pdf/forms']) {
      await seen('resources/directory/read', folder, 'skill://none');
    }
  });

  it('hides a file of a skill from its list of files and from its directories', async () => {
    const hidden = ['skill://pdf/forms/deep/b.md', 'skill://pdf/forms.md'];
    const ask = serving(undefined, { visibility: unless(...hidden) });
    const seen = PDF.map(({ uri }) => uri).filter((uri) => !hidden.includes(uri));
    const listed = await ask('skills/list');
    const got = await ask('skills/get', { uri: 'skill://pdf/SKILL.md' });
    expect(filesIn((listed.result?.['skills'] as unknown[] | undefined)?.[1])).toEqual(seen);
    expect(filesIn(got.result?.['skill'])).toEqual(seen);
    const children = async (uri: string): Promise<unknown[]> =>
      urisIn((await ask('resources/directory/read', { uri })).result?.['resources']);
    expect(await children('skill://pdf')).toEqual(['skill://pdf/SKILL.md', 'skill://pdf/forms', 'skill://pdf/scripts']);
    expect(await children('skill://pdf/forms')).toEqual(['skill://pdf/forms/a.md']);
    expect((await ask('resources/directory/read', { uri: 'skill://pdf/forms/deep' })).error?.code).toBe(-32602);
    expect((await ask('resources/read', { uri: 'skill://pdf/forms/a.md' })).result).toBeDefined();
    expect((await ask('resources/read', { uri: 'skill://pdf/forms.md' })).error?.code).toBe(-32602);
  });

  it('is judged afresh for every caller, although whole skills are prepared', async () => {
    let hide = false;
    const ask = serving(undefined, { visibility: ({ key }) => !(hide && key === 'skill://pdf/forms.md') });
    const count = async (): Promise<number> => {
      const { result } = await ask('skills/get', { uri: 'skill://pdf/SKILL.md' });
      return filesIn(result?.['skill']).length;
    };
    expect(await count()).toBe(5);
    hide = true;
    expect(await count()).toBe(4);
    hide = false;
    expect(await count()).toBe(5);
  });
});
