import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { readSkills, type SkillsReading } from '../../src/skills/read-skills.js';
import { manifest, skillFolders } from './skill-folder.js';

const folderOf = skillFolders();
const read = (folder: string): Promise<SkillsReading> => readSkills(folder, parseDocument);

const digestOf = (bytes: string | Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** What is wrong with a folder of skills, one line each. */
async function flawsOf(folder: string): Promise<readonly string[]> {
  return (await read(folder)).flaws.map(({ path, message }) => `${path} ${message}`);
}

describe('a folder of skills', () => {
  it('becomes resources with the digests and sizes of their bytes', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
    const text = '\uFEFFforms über forms\r\n';
    const pdf = manifest('pdf', 'license: MIT\n');
    const { resources, flaws } = await read(
      folderOf({
        'pdf/SKILL.md': pdf,
        'pdf/references/forms.md': text,
        'pdf/icon.png': png,
        'git/SKILL.md': manifest('git'),
      }),
    );
    expect(flaws).toEqual([]);
    const of = 'skill://pdf/SKILL.md';
    const sorted = resources.filter(({ skill }) => skill.of === of).sort((a, b) => (a.uri < b.uri ? -1 : 1));
    expect(sorted).toEqual([
      {
        uri: of,
        name: 'pdf',
        description: 'About pdf',
        mimeType: 'text/markdown',
        content: pdf,
        skill: {
          of,
          digest: digestOf(pdf),
          size: Buffer.byteLength(pdf),
          frontmatter: { name: 'pdf', description: 'About pdf', license: 'MIT' },
        },
      },
      {
        uri: 'skill://pdf/icon.png',
        name: 'icon.png',
        mimeType: 'image/png',
        content: png,
        skill: { of, digest: digestOf(png), size: 5 },
      },
      {
        uri: 'skill://pdf/references/forms.md',
        name: 'forms.md',
        mimeType: 'text/markdown',
        content: text,
        skill: { of, digest: digestOf(text), size: Buffer.byteLength(text) },
      },
    ]);
    expect(resources.map(({ uri }) => uri)).toContain('skill://git/SKILL.md');
  });

  it.each([
    ['run.py', 'text/x-python', 'text'],
    ['DATA.JSON', 'application/json', 'text'],
    ['Makefile', 'text/plain', 'text'],
    ['notes.unknown', 'text/plain', 'text'],
    ['model.bin', 'application/octet-stream', Buffer.from([0, 1, 2])],
    ['data.constructor', 'text/plain', 'text'],
    ['half.txt', 'text/plain', Buffer.from([0xc3])],
  ])('gives %s the type %s', async (name, mimeType, content) => {
    const { resources } = await read(folderOf({ 'pdf/SKILL.md': manifest('pdf'), [`pdf/${name}`]: content }));
    expect(resources.find((resource) => resource.name === name)).toMatchObject({ mimeType, content });
  });

  it.each([
    ['my file.md', 'my%20file.md'],
    ['Q&A?#.md', 'Q%26A%3F%23.md'],
    ['%2e%2e', '%252e%252e'],
    ['a\\b.md', 'a%5Cb.md'],
    ['ü.md', '%C3%BC.md'],
    ['...md', undefined],
  ])('serves a file named %j as %s', async (name, part) => {
    const { resources, flaws } = await read(folderOf({ 'pdf/SKILL.md': manifest('pdf'), [`pdf/a/${name}`]: 'x' }));
    expect(flaws).toEqual([]);
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(['skill://pdf/SKILL.md', ...(part === undefined ? [] : [`skill://pdf/a/${part}`])]);
  });

  it('passes over what is no skill: files beside them, and names that begin with a dot', async () => {
    const { resources, flaws } = await read(
      folderOf({
        'README.md': '# Skills',
        '.git/HEAD': 'ref',
        'pdf/SKILL.md': manifest('pdf'),
        'pdf/.env': 'SECRET=1',
        'pdf/.cache/x': 'x',
      }),
    );
    expect(flaws).toEqual([]);
    expect(resources.map(({ uri }) => uri)).toEqual(['skill://pdf/SKILL.md']);
  });

  it('serves a SKILL.md further down as a file like any other', async () => {
    const { resources, flaws } = await read(
      folderOf({ 'pdf/SKILL.md': manifest('pdf'), 'pdf/inner/SKILL.md': 'no frontmatter' }),
    );
    expect(flaws).toEqual([]);
    expect(resources.map(({ skill }) => skill.of)).toEqual(['skill://pdf/SKILL.md', 'skill://pdf/SKILL.md']);
  });

  it('may be named relative to the working directory', async () => {
    const folder = folderOf({ 'pdf/SKILL.md': manifest('pdf') });
    expect((await read(relative(process.cwd(), folder))).resources).toHaveLength(1);
  });
});

describe('a folder of skills is refused', () => {
  it('where it is not there, is a file or holds nothing', async () => {
    const folder = folderOf({ 'a.txt': 'x' });
    expect(await flawsOf(join(folder, 'none'))).toEqual([`${join(folder, 'none')} cannot be read (ENOENT)`]);
    expect(await flawsOf(join(folder, 'a.txt'))).toEqual([`${join(folder, 'a.txt')} cannot be read (ENOTDIR)`]);
    expect(await flawsOf(folder)).toEqual([`${folder} holds no folder with a skill`]);
  });

  it('with every fault, each by the name of its file', async () => {
    const folder = folderOf({
      'none/skill.md': manifest('none'),
      'other/SKILL.md': manifest('name'),
      'bare/SKILL.md': '# no frontmatter',
      'binary/SKILL.md': Buffer.from([0xff, 0xfe]),
      'fine/SKILL.md': manifest('fine'),
    });
    expect([...(await flawsOf(folder))].sort()).toEqual([
      'bare/SKILL.md must begin with YAML between two lines of three hyphens',
      'binary/SKILL.md must be a text in UTF-8',
      'none has no SKILL.md',
      'other/SKILL.md name must be that of its folder, "other"',
    ]);
  });

  it('for a link that leaves it, whether to a file or to a folder', async () => {
    const outside = folderOf({ 'secret.txt': 'secret', 'pdf/SKILL.md': manifest('pdf') });
    const folder = folderOf({ 'git/SKILL.md': manifest('git') });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'git/secret.txt'));
    symlinkSync(outside, join(folder, 'git/outside'));
    symlinkSync('../../../../../../../../etc/passwd', join(folder, 'git/passwd'));
    symlinkSync(join(outside, 'pdf'), join(folder, 'pdf'));
    symlinkSync('nowhere', join(folder, 'git/dangling'));
    expect([...(await flawsOf(folder))].sort()).toEqual([
      'git/dangling cannot be read (ENOENT)',
      'git/outside is a link out of the folder of skills',
      'git/passwd is a link out of the folder of skills',
      'git/secret.txt is a link out of the folder of skills',
      'pdf is no folder',
    ]);
    expect(JSON.stringify(await read(folder))).not.toContain('secret"');
  });

  it('not for a link to a file of it, yet for one to a folder', async () => {
    const folder = folderOf({
      'git/SKILL.md': manifest('git'),
      'pdf/SKILL.md': manifest('pdf'),
      'pdf/shared.md': 'shared',
    });
    symlinkSync('../pdf/shared.md', join(folder, 'git/shared.md'));
    const { resources, flaws } = await read(folder);
    expect(flaws).toEqual([]);
    expect(resources.find(({ uri }) => uri === 'skill://git/shared.md')?.content).toBe('shared');
    symlinkSync('..', join(folder, 'git/circle'));
    symlinkSync('.', join(folder, 'git/self'));
    expect([...(await flawsOf(folder))].sort()).toEqual([
      'git/circle is a link out of the folder of skills',
      'git/self is a link to something that is no file',
    ]);
  });

  it('for what is neither file nor folder', async () => {
    const folder = folderOf({ 'git/SKILL.md': manifest('git') });
    const pipe = createServer();
    await new Promise<void>((ready) => pipe.listen(join(folder, 'git/pipe'), ready));
    expect(await flawsOf(folder)).toEqual(['git/pipe is no file']);
    await new Promise((closed) => pipe.close(closed));
  });

  it('from 513 files in one skill', async () => {
    const folder = folderOf({ 'git/SKILL.md': manifest('git') });
    mkdirSync(join(folder, 'git/many'));
    for (let index = 1; index < 512; index += 1) writeFileSync(join(folder, `git/many/${index}.md`), '');
    const full = await read(folder);
    expect(full.flaws).toEqual([]);
    expect(full.resources).toHaveLength(512);
    writeFileSync(join(folder, 'git/many/512.md'), '');
    expect(await flawsOf(folder)).toEqual(['git holds more than 512 files']);
  });

  it('from one byte more than 16 MiB in one skill', async () => {
    const text = manifest('git');
    const rest = 16_777_216 - Buffer.byteLength(text);
    const folder = folderOf({ 'git/SKILL.md': text, 'git/big.bin': Buffer.alloc(rest) });
    expect(await flawsOf(folder)).toEqual([]);
    writeFileSync(join(folder, 'git/big.bin'), Buffer.alloc(rest + 1));
    expect(await flawsOf(folder)).toEqual(['git holds more than 16777216 bytes']);
  });
});
