import { spawn } from 'node:child_process';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import type { McpModuleOptions } from 'nestjs-mcp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { libraryModule } from './clients/app/app.module.js';
import { builtApp } from './clients/built-app.js';
import { initialize } from './clients/raw-session.js';
import { hostileLine, hostileRequest, type HostileRequest } from './hostile/mutations.js';
import { SESSION } from './hostile/valid-requests.js';
import { PLATFORMS, start, type Running } from './nest-app.js';

const SEED = 20_260_728;
const AT_ONCE = 32;
const ANSWER_MS = 2_000;
/** How long an event stream, which may never end, is listened to. */
const LISTEN_MS = 15;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const unhandled: unknown[] = [];
const remember = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', remember);
});
afterEach(() => {
  process.off('unhandledRejection', remember);
  expect(unhandled).toEqual([]);
});

/** Sends a request; rejects when the answer is not there in time. */
function send(agent: Agent, port: number, request: HostileRequest, session: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, path, body, missing } = request;
    const headers = request.headers.map((value) => value.replace(SESSION, session));
    if (!headers.includes('host')) headers.push('host', `127.0.0.1:${port}`);
    if (missing === undefined) headers.push('transfer-encoding', 'chunked');
    else if (body.length > 0 || method === 'POST') headers.push('content-length', String(body.length + missing));
    const sent = httpRequest({ agent, port, host: '127.0.0.1', method, path, headers, setHost: false });
    const late = (): Error => new Error(`no answer within ${ANSWER_MS} ms to ${described(request)}`);
    const timer = setTimeout(() => sent.destroy(late()), ANSWER_MS);
    sent.once('response', (response) => {
      read(response).then((text) => {
        clearTimeout(timer);
        sent.destroy();
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text });
      }, reject);
    });
    sent.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end(body);
  });
}

/** The whole body; of an event stream what comes within a while. */
function read(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.once('end', () => resolve(text)).once('error', reject);
    if (response.headers['content-type'] === 'text/event-stream') setTimeout(() => resolve(text), LISTEN_MS);
  });
}

/** One JSON-RPC message that a server may send. */
function expectMessage(value: unknown): void {
  expect(value).toMatchObject({ jsonrpc: '2.0' });
  const message = value as Record<string, unknown>;
  const kinds = ['result', 'error', 'method'].filter((member) => Object.hasOwn(message, member));
  expect(kinds).toHaveLength(1);
  if (kinds[0] === 'error') {
    expect(message['error']).toMatchObject({
      code: expect.any(Number) as number,
      message: expect.stringMatching(/./) as string,
    });
  }
}

function expectProper({ status, type, text }: Answer): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (text === '') return;
  expect(text).not.toMatch(/<html|<!doctype|node_modules|\.js:\d+/i);
  if (type === 'text/event-stream') {
    for (const block of text.split('\n\n').slice(0, -1)) {
      const data = /^data: (.+)$/m.exec(block)?.[1];
      if (data !== undefined) expectMessage(JSON.parse(data));
    }
    return;
  }
  expect(type).toBe('application/json');
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) value.forEach(expectMessage);
  else expectMessage(value);
}

function described(request: HostileRequest | undefined): string {
  return request === undefined ? 'nothing' : JSON.stringify({ ...request, body: request.body.toString('latin1') });
}

const APPS: Readonly<Record<string, Partial<McpModuleOptions>>> = {
  'with sessions': {},
  stateless: { sessions: 'stateless' },
};
const TABLE = PLATFORMS.flatMap((platform) => Object.keys(APPS).map((app) => ({ platform, app })));
const RUNS = Math.ceil(10_000 / TABLE.length / AT_ONCE);

describe.each(TABLE)('requests to an application $app on $platform', ({ platform, app }) => {
  let running: Running;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  beforeAll(async () => {
    running = await start(platform, libraryModule({ ...APPS[app], limits: { bodyTimeoutMs: 150 } }));
  });
  afterAll(async () => {
    agent.destroy();
    await running.app.close();
  });

  it(`are answered properly, whatever was done to them: ${RUNS * AT_ONCE} of them`, async () => {
    const seen = new Map<number, number>();
    const many = fc.array(hostileRequest, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(many, async (requests) => {
        const opened = await initialize(running.url());
        const session = opened.headers.get('mcp-session-id') ?? 'none';
        await opened.text();
        const answers = await Promise.all(requests.map((request) => send(agent, running.port, request, session)));
        for (const [index, answer] of answers.entries()) {
          try {
            expectProper(answer);
          } catch (error) {
            throw new Error(`${described(requests[index])}\nwas answered with ${JSON.stringify(answer)}`, {
              cause: error,
            });
          }
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        }
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    // A test in which nothing gets through, or nothing is refused, says little.
    for (const status of [200, 202, 400, 403, 405, 406, 408, 415])
      expect(seen.get(status) ?? 0, `${status}`).toBeGreaterThan(5);
  });
});

describe('lines over stdio', () => {
  const entry = builtApp();

  it('are answered properly, whatever was done to them: 2,000 of them', async () => {
    const child = spawn(process.execPath, [entry], { env: { ...process.env, NO_COLOR: '1' } });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    const waiting = new Map<unknown, () => void>();
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const { id } = JSON.parse(line) as { id?: unknown };
      waiting.get(id)?.();
    });
    const probe = (id: string, method: string, params: object = {}): Promise<void> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no answer to ${id}: ${errors}`)), 10_000);
        waiting.set(id, () => {
          clearTimeout(timer);
          resolve();
        });
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      });
    await probe('probe-start', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'hostile', version: '1' },
    });
    const hostile = fc.sample(hostileLine, { seed: SEED, numRuns: 2_000 });
    for (const [index, line] of hostile.entries()) {
      child.stdin.write(Buffer.concat([line, Buffer.from('\n')]));
      if (index % 100 === 99) await probe(`probe-${index}`, 'ping');
    }
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.stdin.end();
    expect(await ended).toBe(0);
    for (const line of lines) expectMessage(JSON.parse(line));
    expect(lines.length).toBeGreaterThan(1_000);
    expect(errors).not.toMatch(/unhandled|uncaught/i);
  });
});
