import { describe, expect, it } from 'vitest';
import type { Compiled } from '../../src/entries/entry-compiler.js';
import { loadOptional } from '../../src/schema/optional-packages.js';
import { loadYaml, skillDefinitions } from '../../src/entries/skill-definitions.js';
import { manifest, skillFolders } from '../skills/skill-folder.js';

const folderOf = skillFolders();
const nothing = (): Promise<Compiled> => Promise.resolve({ definitions: [], faults: [] });

describe('the definitions of skills', () => {
  it('say which package is missing', async () => {
    const directory = folderOf({ 'pdf/SKILL.md': manifest('pdf') });
    const yaml = (): never => loadOptional('nestjs-mcp-absent-package', 'reading skills');
    const compiled = await skillDefinitions({ options: { directory }, source: 'here', yaml, compile: nothing });
    expect(compiled).toEqual({
      definitions: [],
      faults: [
        {
          source: 'here',
          message: 'option "skills.directory": reading skills needs the package nestjs-mcp-absent-package: install it',
        },
      ],
    });
  });

  it('let other errors of loading through', async () => {
    const yaml = (): never => {
      throw new TypeError('broken');
    };
    const parts = { options: { directory: '.' }, source: 'here', yaml, compile: nothing };
    await expect(skillDefinitions(parts)).rejects.toThrow('broken');
  });

  it('find the package that is installed', () => {
    expect(loadYaml()('a: 1', { stringKeys: true }).toJS()).toEqual({ a: 1 });
  });
});
