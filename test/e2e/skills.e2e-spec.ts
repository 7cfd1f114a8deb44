import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Module, type CanActivate, type DynamicModule, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { McpBootError, McpCatalog, McpExecutionContext, McpModule, type McpModuleOptions } from 'nestjs-mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { manifest, skillFolders } from '../skills/skill-folder.js';
import { modern, PLATFORMS, start, type Answer, type Running } from './nest-app.js';
import { OPEN } from './nest-fixture.js';

const folderOf = skillFolders();

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);
const FILES = {
  'pdf/SKILL.md': manifest('pdf', 'license: MIT\nmetadata: { version: "1.0" }\n'),
  'pdf/references/forms.md': '\uFEFF# Förms\r\n',
  'pdf/references/my notes.md': 'notes',
  'pdf/icon.png': PNG,
  'git/SKILL.md': manifest('git'),
};

let running: Running | undefined;
let client: Client | undefined;
afterEach(async () => {
  await client?.close();
  await running?.app.close();
  running = client = undefined;
});

function moduleOf(options: Partial<McpModuleOptions>, providers: DynamicModule['providers'] = []): DynamicModule {
  @Module({})
  class SkilledModule {}
  return { module: SkilledModule, imports: [McpModule.forRoot({ ...OPEN, ...options })], providers };
}

async function connect(url: string): Promise<SkillsClient> {
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return new SkillsClient(client);
}

async function ask(method: string, params: Record<string, unknown>): Promise<Answer> {
  const response = await modern(running?.url() ?? '', method, params);
  return (await response.json()) as Answer;
}

describe.each(PLATFORMS)('skills on %s', (platform) => {
  it('are listed, read and verified by the official client', async () => {
    running = await start(platform, moduleOf({ skills: { directory: folderOf(FILES) } }));
    const skills = await connect(running.url());
    expect(skills.directoryRead).toBe(true);
    const { skills: found, invalid, ttlMs, cacheScope } = await skills.list();
    expect({ invalid, ttlMs, cacheScope }).toEqual({ invalid: [], ttlMs: 0, cacheScope: 'private' });
    expect(found.map(({ uri }) => uri)).toEqual(['skill://git/SKILL.md', 'skill://pdf/SKILL.md']);
    const { skill } = await skills.get('skill://pdf/SKILL.md');
    expect(skill).toEqual(found[1]);
    expect(await skills.read(skill)).toMatchObject({
      verified: true,
      mimeType: 'text/markdown',
      text: FILES['pdf/SKILL.md'],
      frontmatter: { name: 'pdf', description: 'About pdf', license: 'MIT', metadata: { version: '1.0' } },
    });
    const forms = await skills.read(skill, 'references/forms.md');
    expect(forms).toMatchObject({ verified: true, text: FILES['pdf/references/forms.md'] });
    expect(await skills.read(skill, 'references/my notes.md')).toMatchObject({ verified: true, text: 'notes' });
    const icon = await skills.read(skill, 'icon.png');
    expect(icon).toMatchObject({ verified: true, mimeType: 'image/png' });
    expect(Buffer.from(icon.bytes)).toEqual(PNG);
    const { resources } = await skills.readDirectory('skill://pdf');
    expect(resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType }))).toEqual([
      { uri: 'skill://pdf/SKILL.md', name: 'pdf', mimeType: 'text/markdown' },
      { uri: 'skill://pdf/icon.png', name: 'icon.png', mimeType: 'image/png' },
      { uri: 'skill://pdf/references', name: 'references', mimeType: 'inode/directory' },
    ]);
    await expect(skills.readDirectory('skill://pdf/SKILL.md')).rejects.toMatchObject({ code: -32602 });
    await expect(skills.get('skill://none/SKILL.md')).rejects.toMatchObject({ code: -32602 });
  });

  it('are served as they were read at the start', async () => {
    const directory = folderOf(FILES);
    running = await start(platform, moduleOf({ skills: { directory } }));
    writeFileSync(join(directory, 'pdf/references/forms.md'), 'changed');
    const skills = await connect(running.url());
    const { skill } = await skills.get('skill://pdf/SKILL.md');
    expect((await skills.read(skill, 'references/forms.md')).text).toBe(FILES['pdf/references/forms.md']);
  });

  it('cannot be left by a path', async () => {
    const directory = folderOf({ ...FILES, 'secret.txt': 'secret' });
    running = await start(platform, moduleOf({ skills: { directory } }));
    for (const uri of [
      'skill://pdf/../secret.txt',
      'skill://secret.txt',
      'skill://pdf/%2e%2e/secret.txt',
      'skill://pdf/..%2fsecret.txt',
      'skill://pdf/references/../../git/SKILL.md',
      `skill://pdf/${directory}/secret.txt`,
    ]) {
      for (const method of ['resources/read', 'skills/get', 'resources/directory/read']) {
        expect((await ask(method, { uri })).error?.code, `${method} ${uri}`).toBe(-32602);
      }
    }
  });

  it('run behind global guards, as every resource does', async () => {
    @Injectable()
    class NoForms implements CanActivate {
      canActivate(host: ExecutionContext): boolean {
        return (
          host.getType<string>() !== 'mcp' || McpExecutionContext.create(host).getHandlerIdentity().name !== 'forms.md'
        );
      }
    }
    const skills = { directory: folderOf(FILES) };
    running = await start(platform, moduleOf({ skills }, [{ provide: APP_GUARD, useClass: NoForms }]));
    expect((await ask('resources/read', { uri: 'skill://pdf/references/my%20notes.md' })).result).toBeDefined();
    expect((await ask('resources/read', { uri: 'skill://pdf/references/forms.md' })).error).toBeDefined();
  });

  it('are hidden whole by visibility', async () => {
    const skills = { directory: folderOf(FILES) };
    running = await start(platform, moduleOf({ skills, visibility: ({ key }) => key !== 'skill://pdf/SKILL.md' }));
    const { result } = await ask('skills/list', {});
    expect(result?.['skills']).toMatchObject([{ uri: 'skill://git/SKILL.md' }]);
    expect((await ask('resources/read', { uri: 'skill://pdf/icon.png' })).error?.code).toBe(-32602);
    expect((await ask('resources/directory/read', { uri: 'skill://pdf' })).error?.code).toBe(-32602);
  });

  it('can be taken out of the running catalog, with all their files', async () => {
    running = await start(platform, moduleOf({ skills: { directory: folderOf(FILES) } }));
    const catalog = running.app.get(McpCatalog, { strict: false });
    const keys = (): readonly string[] => catalog.list().map(({ key }) => key);
    expect(keys()).toContain('skill://pdf/icon.png');
    expect(catalog.remove('resource', 'skill://pdf/SKILL.md')).toBe(true);
    expect(keys()).toEqual(['skill://git/SKILL.md']);
    expect((await ask('resources/read', { uri: 'skill://pdf/icon.png' })).error?.code).toBe(-32602);
  });
});

describe('the option skills', () => {
  const faultsOf = async (options: object): Promise<readonly string[]> => {
    try {
      running = await start('express', moduleOf(options));
      return [];
    } catch (error) {
      if (!(error instanceof McpBootError)) throw error;
      return error.faults.map(({ source, message }) => `${source}: ${message}`);
    }
  };

  it('is judged like the other options', async () => {
    expect(await faultsOf({ skills: {} })).toEqual(['McpModule.forRoot: option "skills.directory" is required']);
    expect(await faultsOf({ skills: { directory: 7, folder: 'x' } })).toEqual([
      'McpModule.forRoot: option "skills.directory" must be a text that is not empty',
      'McpModule.forRoot: option "skills.folder" is not an option',
    ]);
  });

  it('reports every fault of every skill when the application starts, by the name of its file', async () => {
    const directory = folderOf({ ...FILES, 'git/SKILL.md': '# none', 'pdf/SKILL.md': manifest('other') });
    expect([...(await faultsOf({ skills: { directory } }))].sort()).toEqual([
      'McpModule.forRoot: option "skills.directory": git/SKILL.md must begin with YAML between two lines of three hyphens',
      'McpModule.forRoot: option "skills.directory": pdf/SKILL.md name must be that of its folder, "pdf"',
    ]);
  });

  it('names a folder that is not there', async () => {
    const directory = join(folderOf({}), 'none');
    expect(await faultsOf({ skills: { directory } })).toEqual([
      `McpModule.forRoot: option "skills.directory": ${directory} cannot be read (ENOENT)`,
    ]);
  });

  it('refuses a resource of the same uri', async () => {
    @Module({
      imports: [
        McpModule.forRoot({ ...OPEN, skills: { directory: folderOf(FILES) } }),
        McpModule.forFeature([{ kind: 'resource', uri: 'skill://pdf/icon.png', name: 'icon', handler: () => 'other' }]),
      ],
    })
    class TwiceModule {}
    await expect(start('express', TwiceModule)).rejects.toThrow(
      'resource "skill://pdf/icon.png" is already declared by',
    );
  });
});
