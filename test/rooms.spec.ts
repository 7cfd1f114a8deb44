import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CONFIG = resolve('.oxlintrc.json');
const OXLINT = resolve('node_modules/oxlint/bin/oxlint');

/** Wrong imports: where, and of what. */
const WRONG: readonly (readonly [file: string, specifier: string])[] = [
  ['src/protocol/wrong-package.ts', 'ajv'],
  ['src/protocol/wrong-node.ts', 'node:crypto'],
  ['src/protocol/wrong-room.ts', '../session/sessions.js'],
  ['src/protocol/methods/wrong-room.ts', '../../transport/stdio/pipe.js'],
  ['src/schema/wrong-nest.ts', '@nestjs/common'],
  ['src/schema/wrong-room.ts', '../transport/stdio/pipe.js'],
  ['src/session/wrong-package.ts', 'ajv'],
  ['src/session/wrong-room.ts', '../transport/stdio/pipe.js'],
  ['src/session/wrong-assembly.ts', '../mcp.stdio.js'],
  ['src/session/wrong-wiring.ts', '../assembly/running-server.js'],
  ['src/discovery/wrong-wiring.ts', '../entries/entry-compiler.js'],
  ['src/session/wrong-skills.ts', '../skills/read-skills.js'],
  ['src/skills/wrong-package.ts', 'yaml'],
  ['src/skills/wrong-room.ts', '../schema/sources.js'],
  ['src/skills/wrong-assembly.ts', '../mcp.stdio.js'],
  ['src/transport/http/wrong-nest.ts', '@nestjs/common'],
  ['src/transport/http/wrong-platform.ts', 'express'],
  ['src/transport/http/wrong-room.ts', '../../discovery/explorer.js'],
  ['src/transport/stdio/wrong-assembly.ts', '../../mcp.stdio.js'],
  ['src/guards/wrong-nest.ts', '@nestjs/core'],
  ['src/guards/wrong-room.ts', '../discovery/explorer.js'],
  ['src/decorators/wrong-nest.ts', '@nestjs/core'],
  ['src/decorators/wrong-room.ts', '../protocol/catalog/catalog.js'],
  ['src/discovery/wrong-room.ts', '../transport/stdio/pipe.js'],
  ['src/discovery/wrong-front-door.ts', '../guards/door.guard.js'],
  ['src/testing/wrong-room.ts', '../transport/memory/memory-client.js'],
  ['src/testing/wrong-runner.ts', 'vitest'],
  ['src/wrong-platform.ts', '@nestjs/platform-express'],
  ['src/wrong-private.ts', '@nestjs/core/internal'],
];

const RIGHT: readonly (readonly [file: string, specifier: string])[] = [
  ['src/protocol/right.ts', './catalog/catalog.js'],
  ['src/protocol/methods/right.ts', '../catalog/catalog.js'],
  ['src/schema/right.ts', 'ajv'],
  ['src/session/right.ts', '../protocol/call.js'],
  ['src/session/right-node.ts', 'node:crypto'],
  ['src/skills/right.ts', '../protocol/catalog/entries.js'],
  ['src/skills/right-node.ts', 'node:fs/promises'],
  ['src/transport/http/right.ts', '../../session/sessions.js'],
  ['src/transport/http/right-node.ts', 'node:http'],
  ['src/guards/right.ts', '../transport/http/origin.js'],
  ['src/discovery/right.ts', '@nestjs/core'],
  ['src/testing/right.ts', '../index.js'],
  ['src/right.ts', './transport/stdio/pipe.js'],
];

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

describe('the rooms of the house', () => {
  const house = mkdtempSync(join(tmpdir(), 'rooms-'));
  let refused: ReadonlySet<string>;
  let cycles: ReadonlySet<string>;

  beforeAll(async () => {
    copyFileSync(CONFIG, join(house, '.oxlintrc.json'));
    const put = (file: string, text: string): void => {
      mkdirSync(dirname(join(house, file)), { recursive: true });
      writeFileSync(join(house, file), text);
    };
    for (const [file, specifier] of [...WRONG, ...RIGHT]) put(file, `export { found } from '${specifier}';\n`);
    put('src/session/one.ts', "import { two } from './two.js';\nexport const one = (): unknown => two;\n");
    put('src/session/two.ts', "import { one } from './one.js';\nexport const two = (): unknown => one;\n");
    const text = await new Promise<string>((settle) => {
      execFile(process.execPath, [OXLINT, '-f', 'json', 'src'], { cwd: house }, (_error, stdout) => settle(stdout));
    });
    const { diagnostics } = JSON.parse(text) as Report;
    const filesWith = (rule: string): ReadonlySet<string> =>
      new Set(diagnostics.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename));
    refused = filesWith('no-restricted-imports');
    cycles = filesWith('no-cycle');
  });

  afterAll(() => rmSync(house, { recursive: true }));

  it.each(WRONG)('%s may not import %s', (file) => {
    expect(refused).toContain(file);
  });

  it.each(RIGHT)('%s may import %s', (file) => {
    expect(refused).not.toContain(file);
  });

  it('has no cycles', () => {
    expect([...cycles].sort()).toEqual(['src/session/one.ts', 'src/session/two.ts']);
  });
});
