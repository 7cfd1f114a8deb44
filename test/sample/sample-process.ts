import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const START_MS = 20_000;

/** Path of a built sample, e.g. `01-weather/main.js`. */
export function built(file: string): string {
  const path = fileURLToPath(new URL(`../../build/sample/${file}`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build && npm run build:sample first`);
  return path;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

export interface SampleProcess {
  readonly child: ChildProcess;
  /** What it has printed until now. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Settles with the code when the process has ended and all it printed was read; null after a signal. */
  readonly ended: Promise<number | null>;
  readonly stop: () => Promise<number | null>;
}

/** Starts `node build/sample/FILE ARGS…`. */
export function startSample(file: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): SampleProcess {
  const child = spawn(process.execPath, [built(file), ...args], { env: { ...process.env, NO_COLOR: '1', ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, stdout: () => stdout, stderr: () => stderr, ended, stop };
}

/** Waits for something the process does; fails with what it printed when it ends before, or takes too long. */
export async function until(sample: SampleProcess, done: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (!(await done())) {
    if (sample.child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The sample did not get ready:\n${sample.stdout()}\n${sample.stderr()}`);
    }
    await sleep(50);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

export interface Listening extends SampleProcess {
  readonly origin: string;
}

/** Starts a sample whose port is `PORT` of the environment, and waits until it listens. */
export async function listen(file: string): Promise<Listening> {
  const port = await freePort();
  const sample = startSample(file, [], { PORT: String(port) });
  await until(sample, () => accepts(port));
  return { ...sample, origin: `http://127.0.0.1:${port}` };
}

export type Mode = 'modern' | 'legacy';
export const MODES: readonly Mode[] = ['modern', 'legacy'];

/** The official client, of one era. */
export function clientOf(mode: Mode, options: ClientOptions = {}): Client {
  return new Client(
    { name: 'sample-test', version: '1.0.0' },
    { ...options, versionNegotiation: { mode: mode === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
}

export async function overHttp(client: Client, url: string, headers: Record<string, string> = {}): Promise<Client> {
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** Connects the client to `node build/sample/FILE ARGS…` over its pipes; closing the client ends the process. */
export async function overStdio(client: Client, file: string, args: readonly string[] = []): Promise<Client> {
  const server = { command: process.execPath, args: [built(file), ...args], stderr: 'ignore' as const };
  await client.connect(new StdioClientTransport(server));
  return client;
}

/** The text of the first block of a tool's result. */
export function textOf(result: { readonly content: readonly { readonly type: string }[] }): string | undefined {
  const [block] = result.content;
  return block !== undefined && 'text' in block && typeof block.text === 'string' ? block.text : undefined;
}
