import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';
import { builtApp } from '../e2e/clients/built-app.js';
import { hostileLine } from '../e2e/hostile/mutations.js';
import { checkMessage } from './answers.js';
import { campaign, CAMPAIGN_MS, SHRINK_MS } from './campaign.js';

const ANSWER_MS = 2_000;
const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } };

/** A process that is spoken to over pipes. */
class Pipe {
  #child: ChildProcessWithoutNullStreams | undefined;
  #errors = '';
  #count = 0;
  #faults: Error[] = [];
  readonly #waiting = new Map<unknown, () => void>();

  constructor(private readonly entry: string) {}

  get alive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.entry], { env: { ...process.env, NO_COLOR: '1' } });
    this.#child = child;
    this.#errors = '';
    child.stderr
      .setEncoding('utf8')
      .on('data', (chunk: string) => (this.#errors = (this.#errors + chunk).slice(-4_000)));
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.#hear(line));
    await this.request('initialize', CLIENT, 15_000);
  }

  write(line: Uint8Array): void {
    this.#child?.stdin.write(Buffer.concat([line, Buffer.from('\n')]));
  }

  /** Answered, or rejects when it is not in time. */
  request(method: string, params: object = {}, ms = ANSWER_MS): Promise<void> {
    const id = `honest-${this.#count++}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms: ${this.#errors}`)), ms);
      this.#waiting.set(id, () => {
        clearTimeout(timer);
        resolve();
      });
      this.write(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params })));
    });
  }

  /** Throws the first thing that was said and should not have been. */
  check(): void {
    const [fault] = this.#faults.splice(0);
    if (fault !== undefined) throw fault;
    if (!this.alive) throw new Error(`the process ended: ${this.#errors}`);
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
  }

  #hear(line: string): void {
    try {
      const message: unknown = JSON.parse(line);
      checkMessage(message);
      const { id } = message as { id?: unknown };
      this.#waiting.get(id)?.();
      this.#waiting.delete(id);
    } catch (error) {
      this.#faults.push(new Error(`said ${line.slice(0, 200)}`, { cause: error }));
    }
  }
}

describe('lines over stdio', () => {
  const pipe = new Pipe(builtApp());
  afterAll(() => pipe.stop());

  it(
    'are survived: an honest request after them is answered in time',
    async () => {
      await campaign({
        title: 'stdio',
        input: fc.array(hostileLine, { minLength: 1, maxLength: 16 }),
        show: (lines) => lines.map((line) => JSON.stringify(line.toString('utf8').slice(0, 4_000))).join('\n'),
        check: async (lines) => {
          if (!pipe.alive) await pipe.start();
          for (const line of lines) pipe.write(line);
          await pipe.request('tools/call', { name: 'join', arguments: { left: 'foot', right: 'note' } });
          pipe.check();
        },
      });
    },
    CAMPAIGN_MS + SHRINK_MS + 30_000,
  );
});
