import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (file: string): string => fileURLToPath(new URL(`./src/${file}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^nestjs-mcp$/, replacement: src('index.ts') },
      { find: /^nestjs-mcp\/stdio$/, replacement: src('stdio.ts') },
      { find: /^nestjs-mcp\/server$/, replacement: src('server.ts') },
      { find: /^nestjs-mcp\/testing$/, replacement: src('testing/mcp-testing.ts') },
    ],
  },
  test: {
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text', 'json-summary', 'json'] },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.spec.ts'], testTimeout: 30_000, hookTimeout: 30_000 },
      },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/**/*.e2e-spec.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      { extends: true, test: { name: 'fuzz', include: ['test/**/*.fuzz.ts'], fileParallelism: false } },
    ],
  },
});
