import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';

export const manifest = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\n\n# ${name}\n`;

/** Makes folders of files, by their paths, that last as long as a test. */
export function skillFolders(): (files: Readonly<Record<string, string | Buffer>>) => string {
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return (files) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skills-')));
    made.push(folder);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return folder;
  };
}
