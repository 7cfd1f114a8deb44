import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Beside the built application: the same over HTTP. It tells its port, and its heap whenever it is asked. */
const HTTP_ENTRY = `
import { NestFactory } from '@nestjs/core';
import { libraryModule } from './app.module.js';
const { env } = process;
const now = Date.now;
let later = 0;
Date.now = () => now() + later;
const options = {
  limits: { bodyTimeoutMs: Number(env.BODY_MS ?? 15000) },
  sessions: { max: Number(env.SESSIONS ?? 10000) },
};
const args = [libraryModule(options)];
if (env.PLATFORM === 'fastify') args.push(new (await import('@nestjs/platform-fastify')).FastifyAdapter());
const app = await NestFactory.create(...args, { logger: false });
await app.listen(0, '127.0.0.1');
process.on('message', ({ laterMs = 0 }) => {
  later += laterMs;
  global.gc();
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heap: heapUsed + external });
});
process.on('disconnect', () => process.exit(0));
process.send({ port: app.getHttpServer().address().port });
`;

/**
 * A process that serves the built application over HTTP; an unhandled rejection ends it, as Node does it. Its
 * environment: `PLATFORM` (`fastify`, else Express), `BODY_MS` (time for a body), `SESSIONS` (at once).
 */
export class ServerProcess {
  port = 0;
  #child: ChildProcess | undefined;
  #errors = '';

  constructor(
    private readonly stdioEntry: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  get alive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it wrote to stderr, for whoever wants to know why it is dead. */
  get errors(): string {
    return this.#errors.slice(-2_000);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  async start(): Promise<void> {
    const entry = join(dirname(this.stdioEntry), 'http.js');
    writeFileSync(entry, HTTP_ENTRY);
    this.#errors = '';
    this.#child = spawn(process.execPath, ['--expose-gc', entry], {
      env: { ...process.env, ...this.env, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.#errors += chunk));
    this.port = await this.#told('port');
  }

  /** Bytes of heap and buffers in use, after two forced collections; with `laterMs` its clock is put forward first. */
  heap(laterMs?: number): Promise<number> {
    const told = this.#told('heap');
    this.#child?.send({ laterMs });
    return told;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
  }

  #told(fact: 'port' | 'heap'): Promise<number> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error(`the process ended: ${this.errors}`));
      this.#child?.once('exit', onExit).once('message', (message) => {
        this.#child?.off('exit', onExit);
        resolve((message as Record<typeof fact, number>)[fact]);
      });
    });
  }
}
