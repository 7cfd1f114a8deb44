import { PassThrough } from 'node:stream';
import { META } from '../../../src/protocol/envelope.js';
import { StdioTransport, type StdioOptions } from '../../../src/transport/stdio/pipe.js';
import { RecordingLogger } from '../../session/recording.js';
import { ScriptedServer } from './scripted-server.js';

export interface Heard {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client at the other end of two pipes. */
export class PipeClient {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly logger = new RecordingLogger();
  readonly server: ScriptedServer;
  readonly transport: StdioTransport;
  /** What arrived, line by line. */
  readonly heard: (Heard | Heard[])[] = [];
  readonly lines: string[] = [];
  #rest = '';

  constructor(options: Partial<StdioOptions> = {}, server = new ScriptedServer()) {
    this.server = server;
    const { input, output, logger } = this;
    this.transport = new StdioTransport({ server, input, output, logger, ...options });
    output.setEncoding('utf8');
    output.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        this.lines.push(line);
        this.heard.push(JSON.parse(line) as Heard);
      }
    });
    this.transport.start();
  }

  write(...messages: readonly (object | string)[]): void {
    const lines = messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message)));
    this.input.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Single answers, without batches. */
  get answers(): Heard[] {
    return this.heard.filter((each): each is Heard => !Array.isArray(each));
  }

  answer(id: string | number): Heard | undefined {
    return this.answers.find((each) => each.id === id && each.method === undefined);
  }

  /** Waits until so many lines were heard. */
  async until(count: number): Promise<void> {
    const deadline = Date.now() + 2_000;
    while (this.heard.length < count) {
      if (Date.now() > deadline)
        throw new Error(`heard ${this.heard.length} of ${count} lines: ${this.lines.join(' ')}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  async initialize(revision = '2025-11-25'): Promise<void> {
    this.write(initialize(revision), { jsonrpc: '2.0', method: 'notifications/initialized' });
    await this.until(1);
    this.heard.splice(0);
    this.lines.splice(0);
  }
}

export function initialize(revision = '2025-11-25', id: string | number = 'init'): object {
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}

export function call(id: string | number, name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

export function request(id: string | number, method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params };
}

export function cancel(requestId: string | number): object {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

/** The same message with modern metadata. */
export function modern(message: object, version = '2026-07-28'): object {
  const { params = {} } = message as { params?: object };
  const _meta = { [META.protocolVersion]: version, [META.clientCapabilities]: {} };
  return { ...message, params: { ...params, _meta } };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
