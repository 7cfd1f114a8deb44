import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll } from 'vitest';

/**
 * The application as JavaScript for a process of its own; answers with the path of its stdio entry. It is built beside
 * the package's own build, where the package's name means that build, and removed when the tests of this file are over.
 */
export function builtApp(): string {
  if (!existsSync('dist/stdio.js')) throw new Error('dist is missing: run npm run build first');
  const source = fileURLToPath(new URL('./app', import.meta.url));
  mkdirSync(resolve('build'), { recursive: true });
  const folder = mkdtempSync(resolve('build/clients-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of readdirSync(source)) {
    const { outputText } = ts.transpileModule(readFileSync(join(source, file), 'utf8'), {
      fileName: file,
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
      },
    });
    writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), outputText);
  }
  return join(folder, 'stdio.js');
}
