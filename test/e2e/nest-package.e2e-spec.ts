import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, legacy } from './nest-app.js';

const run = promisify(execFile);

/** Decorators by hand: these files are plain JavaScript, as an application finds the package once it is installed. */
const APP = `
class Weather {
  current() { console.log('noise from a tool'); return 'sunny'; }
  wait(_args, { signal }) { return new Promise((done) => signal.addEventListener('abort', () => done('stopped'))); }
}
Injectable()(Weather);
for (const name of ['current', 'wait']) {
  McpTool()(Weather.prototype, name, Object.getOwnPropertyDescriptor(Weather.prototype, name));
}
class AppModule {
  onApplicationShutdown(signal) { console.error('hook ran: ' + signal); }
}
Module({
  imports: [McpModule.forRoot({
    server: { name: 'w', version: '1' }, allowedOrigins: [], guards: 'none', sessions: 'stateless', drainMs: 200,
  })],
  providers: [Weather],
})(AppModule);
`;

const COMMONJS = `
require('reflect-metadata');
const { Injectable, Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { McpModule, McpTool } = require('nestjs-mcp');
${APP}
NestFactory.create(AppModule, { logger: false }).then(async (app) => {
  await app.listen(0, '127.0.0.1');
  console.log('port ' + app.getHttpServer().address().port);
});
`;

const MODULE = `
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { McpModule, McpTool } from 'nestjs-mcp';
console.log('noise while loading');
${APP}
export { AppModule };
`;

const STDIO = `
import { serveStdio } from 'nestjs-mcp/stdio';
await serveStdio(() => import('./app.module.mjs'), { drainMs: 200 });
`;

const BROKEN = `
import { serveStdio } from 'nestjs-mcp/stdio';
await serveStdio(() => Promise.resolve({}));
`;

/** An application's folder with the package installed in it; what it depends on is found further up. */
let folder: string;

beforeAll(async () => {
  mkdirSync(resolve('build'), { recursive: true });
  folder = mkdtempSync(resolve('build/installed-'));
  const installed = join(folder, 'node_modules/nestjs-mcp');
  mkdirSync(installed, { recursive: true });
  copyFileSync('package.json', join(installed, 'package.json'));
  const tsc = resolve('node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', join(installed, 'dist')]);
  for (const [name, text] of Object.entries({
    // A package of its own: inside ours, our name would mean our own dist.
    'package.json': '{ "name": "application", "private": true }',
    'main.cjs': COMMONJS,
    'app.module.mjs': MODULE,
    'stdio.mjs': STDIO,
    'broken.mjs': BROKEN,
  })) {
    writeFileSync(join(folder, name), text);
  }
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exit: Promise<readonly [code: number | null, signal: string | null]>;
  line(test: (line: string) => boolean): Promise<string>;
}

function launch(file: string): Child {
  const child = spawn(process.execPath, [file], { cwd: folder });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exit = once(child, 'exit').then(([code, signal]) => [code as number | null, signal as string | null] as const);
  const line = async (test: (line: string) => boolean): Promise<string> => {
    for (;;) {
      const found = stdout.split('\n').find(test);
      if (found !== undefined) return found;
      await Promise.race([once(child.stdout, 'data'), exit.then(() => Promise.reject(new Error(stderr)))]);
    }
  };
  return { process: child, stdout: () => stdout, stderr: () => stderr, exit, line };
}

const INITIALIZE = legacy('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

async function conversation(): Promise<Child> {
  const child = launch('stdio.mjs');
  child.process.stdin.write(`${INITIALIZE}\n`);
  await child.line((text) => text.includes('"serverInfo"'));
  return child;
}

describe('the package, installed', () => {
  it('is required by a CommonJS application', async () => {
    const child = launch('main.cjs');
    const port = (await child.line((text) => text.startsWith('port '))).slice('port '.length);
    expect(await callTool(`http://127.0.0.1:${port}/mcp`, 'current')).toBe('sunny');
    child.process.kill();
    await child.exit;
  });

  it('keeps everything but messages off stdout, and ends with code 0 when its input does', async () => {
    const child = await conversation();
    child.process.stdin.write(`${legacy('tools/call', { name: 'current' }, 'c-1')}\n`);
    await child.line((text) => text.includes('"c-1"'));
    child.process.stdin.end();
    expect(await child.exit).toEqual([0, null]);
    const lines = child.stdout().trimEnd().split('\n');
    expect(lines.map((text) => (JSON.parse(text) as { id: unknown }).id)).toEqual([1, 'c-1']);
    expect(child.stderr()).toContain('noise while loading');
    expect(child.stderr()).toContain('noise from a tool');
    expect(child.stderr()).toContain('hook ran');
  });

  it('stops what still runs when its input ends', async () => {
    const child = await conversation();
    child.process.stdin.end(`${legacy('tools/call', { name: 'wait' }, 'w-1')}\n`);
    expect(await child.exit).toEqual([0, null]);
    expect(child.stdout()).toContain('stopped');
  });

  it('runs the shutdown hooks at SIGTERM and ends by it', async () => {
    const child = await conversation();
    child.process.kill('SIGTERM');
    expect(await child.exit).toEqual([null, 'SIGTERM']);
    expect(child.stderr()).toContain('hook ran: SIGTERM');
  });

  it('ends quietly when nobody reads its output any more', async () => {
    const child = await conversation();
    child.process.stdout.destroy();
    child.process.stdin.write(`${legacy('ping', undefined, 'p-1')}\n${legacy('ping', undefined, 'p-2')}\n`);
    expect(await child.exit).toEqual([0, null]);
    expect(child.stderr()).not.toContain('EPIPE');
  });

  it('fails to start with a reason where there is no module', async () => {
    const child = launch('broken.mjs');
    expect(await child.exit).toEqual([1, null]);
    expect(child.stderr()).toContain('serveStdio found no module class in what was loaded');
    expect(child.stdout()).toBe('');
  });
});
