import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Beside the built application: the same over HTTP. It tells its port, and is told nothing. */
const HTTP_ENTRY = `
import { NestFactory } from '@nestjs/core';
import { libraryModule } from './app.module.js';
const options = { limits: { bodyTimeoutMs: 150 }, ...(process.env.STATELESS ? { sessions: 'stateless' } : {}) };
const args = [libraryModule(options)];
if (process.env.PLATFORM === 'fastify') args.push(new (await import('@nestjs/platform-fastify')).FastifyAdapter());
const app = await NestFactory.create(...args, { logger: false });
await app.listen(0, '127.0.0.1');
process.send({ port: app.getHttpServer().address().port });
process.on('disconnect', () => process.exit(0));
`;

/** A process that serves the built application over HTTP; an unhandled rejection ends it, as Node does it. */
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

  async start(): Promise<void> {
    const entry = join(dirname(this.stdioEntry), 'http.js');
    writeFileSync(entry, HTTP_ENTRY);
    this.#errors = '';
    const child = spawn(process.execPath, [entry], {
      env: { ...process.env, ...this.env, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.#errors += chunk));
    this.port = await new Promise<number>((resolve, reject) => {
      child.once('message', (message) => resolve((message as { port: number }).port));
      child.once('exit', () => reject(new Error(`did not start: ${this.errors}`)));
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
  }
}
