import { afterEach, describe, expect, it } from 'vitest';
import { ServerClosing } from '../../../src/protocol/call.js';
import { REVISIONS } from '../../../src/protocol/revisions.js';
import { InProcessChangeBus } from '../../../src/session/change-bus.js';
import type { StdioOptions } from '../../../src/transport/stdio/pipe.js';
import { call, cancel, initialize, modern, pause, PipeClient, request } from './client.js';
import { ScriptedServer } from './scripted-server.js';

const clients: PipeClient[] = [];

function connect(options: Partial<StdioOptions> = {}, server?: ScriptedServer): PipeClient {
  const client = new PipeClient(options, server);
  clients.push(client);
  return client;
}

async function connected(options: Partial<StdioOptions> = {}, revision?: string): Promise<PipeClient> {
  const client = connect(options);
  await client.initialize(revision);
  return client;
}

afterEach(() => {
  for (const { output } of clients.splice(0)) output.destroy();
});

describe('eras on one pipe', () => {
  it('serves what was written in one go behind initialize', async () => {
    const client = connect();
    client.write(initialize(), { jsonrpc: '2.0', method: 'notifications/initialized' }, call(2, 'echo', { text: 'é' }));
    await client.until(2);
    expect(client.answers.map(({ id }) => id)).toEqual(['init', 2]);
    expect(client.answer(2)?.result).toEqual({ text: 'é' });
    expect(client.server.notifications).toEqual(['notifications/initialized']);
  });

  it('refuses requests before initialize, except ping', async () => {
    const client = connect();
    client.write(request(1, 'tools/list'), request(2, 'ping'), modern(request(3, 'ping'), '2025-11-25'));
    await client.until(3);
    expect(client.answer(1)?.error?.code).toBe(-32600);
    expect(client.answer(2)?.result).toEqual({});
    expect(client.answer(3)?.result).toEqual({});
  });

  it('serves a modern request at any time, without any conversation', async () => {
    const client = await connected();
    client.write(modern(request(1, 'who')), request(2, 'who'));
    await client.until(2);
    expect(client.answer(1)?.result).toEqual({ revision: '2026-07-28' });
    expect(client.answer(2)?.result).toEqual({ revision: '2025-11-25', client: 'c' });
  });

  it('serves a message as the supported handshake revision that it names', async () => {
    const client = await connected();
    client.write(modern(request(1, 'who'), '2025-06-18'));
    await client.until(1);
    expect(client.answer(1)?.result).toMatchObject({ revision: '2025-06-18' });
  });

  it('refuses a version that is not served, naming those that are', async () => {
    const client = connect();
    client.write(modern(request(1, 'tools/list'), '2099-01-01'));
    await client.until(1);
    expect(client.answer(1)?.error).toMatchObject({
      code: -32022,
      data: { supported: REVISIONS.map(({ name }) => name), requested: '2099-01-01' },
    });
  });

  it('refuses a modern request without its required metadata', async () => {
    const client = connect();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    client.write(request(1, 'tools/list', { _meta }), request(2, 'tools/list', { _meta: 'x' }));
    await client.until(2);
    expect(client.answer(1)?.error?.code).toBe(-32602);
    expect(client.answer(2)?.error?.code).toBe(-32602);
  });

  it('answers a bare server/discover before initialize as a probe for eras', async () => {
    const client = connect();
    client.write(request(1, 'server/discover'));
    await client.until(1);
    expect(client.answer(1)?.result).toEqual({ supportedVersions: REVISIONS.map(({ name }) => name) });
    expect(client.server.calls[0]?.revision.era).toBe('modern');
  });

  it('refuses a second initialize, and goes on', async () => {
    const client = await connected();
    client.write(initialize('2025-06-18', 1), request(2, 'who'));
    await client.until(2);
    expect(client.answer(1)?.error?.code).toBe(-32600);
    expect(client.answer(2)?.result).toMatchObject({ revision: '2025-11-25' });
  });

  it('accepts initialize again when the first one failed', async () => {
    const client = connect();
    client.write(initialize('never', 1), initialize('2025-06-18', 2), request(3, 'who'));
    await client.until(3);
    expect(client.answer(1)?.error?.code).toBe(-32602);
    expect(client.answer(3)?.result).toMatchObject({ revision: '2025-06-18' });
  });

  it('names its versions when a server without handshake is asked for one', async () => {
    const server = new ScriptedServer(REVISIONS.filter(({ era }) => era === 'modern'));
    const client = connect({}, server);
    client.write(initialize('2025-11-25', 1), request(2, 'tools/list'));
    await client.until(2);
    expect(client.answer(1)?.error?.data).toEqual({ supported: ['2026-07-28'], requested: '2025-11-25' });
    expect(client.answer(2)?.error?.code).toBe(-32602);
  });

  it('answers modern clients of a server that has only handshakes', async () => {
    const server = new ScriptedServer(REVISIONS.filter(({ era }) => era === 'legacy'));
    const client = connect({}, server);
    client.write(modern(request(1, 'server/discover')), request(2, 'server/discover'));
    await client.until(2);
    expect(client.answer(1)?.error?.code).toBe(-32022);
    expect(client.answer(2)?.error?.code).toBe(-32600);
  });
});

describe('bad input on a pipe', () => {
  it.each([
    ['not json', -32700],
    ['{"jsonrpc":"2.0","id":3,"method":"tools/li', -32700],
    ['[]', -32600],
    ['42', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
    [`${'['.repeat(100)}${']'.repeat(100)}`, -32600],
  ])('answers %s without id and lives', async (line, code) => {
    const client = await connected();
    client.write(line, call(9, 'echo', { text: 'alive' }));
    await client.until(2);
    expect(client.answers[0]?.error?.code).toBe(code);
    expect(client.answers[0]).not.toHaveProperty('id');
    expect(client.answer(9)?.result).toEqual({ text: 'alive' });
  });

  it('answers broken requests by the id that can be read', async () => {
    const client = await connected();
    client.write('{"jsonrpc":"2.0","id":7}', '{"jsonrpc":"2.0","id":8,"method":5}', '{"id":0,"method":"ping"}');
    await client.until(3);
    expect([7, 8, 0].map((id) => client.answer(id)?.error?.code)).toEqual([-32600, -32600, -32600]);
  });

  it('never answers notifications and responses, broken or not', async () => {
    const client = await connected();
    client.write(
      { jsonrpc: '2.0', method: 'notifications/whatever' },
      { jsonrpc: '2.0', method: 'notifications/whatever', params: 5 },
      { method: 'notifications/whatever' },
      { jsonrpc: '2.0', id: 'made-up', result: {} },
      { jsonrpc: '2.0', id: 'made-up', result: {}, error: {} },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} },
      cancel('unknown'),
      request(9, 'ping'),
    );
    await client.until(1);
    await pause(5);
    expect(client.lines).toEqual(['{"jsonrpc":"2.0","id":9,"result":{}}']);
  });

  it('refuses a line that is too long once, and reads nothing inside it', async () => {
    const client = connect({ maxLineBytes: 200 });
    await client.initialize();
    const text = 'x'.repeat(200);
    client.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"${text}"}}`, request(2, 'ping'));
    await client.until(2);
    expect(client.answers[0]?.error).toEqual({ code: -32600, message: 'Request line exceeds 200 bytes' });
    expect(client.answer(2)?.result).toEqual({});
  });

  it('answers bytes that are not UTF-8 and reads the next line', async () => {
    const client = await connected();
    client.input.write(Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff]), Buffer.from('"}\n')]));
    client.write(request(9, 'ping'));
    await client.until(2);
    expect(client.answers[0]?.error?.code).toBe(-32700);
    expect(client.answer(9)?.result).toEqual({});
  });

  it('answers a fault of the server without its words, and logs it', async () => {
    const client = await connected();
    client.write(request(1, 'broken'), { jsonrpc: '2.0', method: 'notifications/broken' }, request(2, 'ping'));
    await client.until(2);
    expect(client.answer(1)?.error).toEqual({ code: -32603, message: 'Internal error' });
    expect(client.lines.join('')).not.toContain('SECRET');
    expect(client.logger.errors).toHaveLength(2);
  });
});

describe('requests on a pipe', () => {
  it('answers in the order of completion', async () => {
    const client = await connected();
    client.write(call(1, 'slow', { ms: 20, text: 'slow' }), call(0, 'echo', { text: 'fast' }));
    await client.until(2);
    expect(client.answers.map(({ id }) => id)).toEqual([0, 1]);
  });

  it('answers in the order of arrival when told to, errors and cancelled requests included', async () => {
    const client = await connected({ ordered: true });
    client.write(
      call(1, 'slow', { ms: 20 }),
      modern(request('listen', 'subscriptions/listen')),
      call(2, 'wait'),
      'not json',
      call(3, 'echo'),
      cancel(2),
    );
    await client.until(4);
    const kinds = client.answers.map(({ id, error, method }) => id ?? error?.code ?? method);
    expect(kinds).toEqual(['notifications/subscriptions/acknowledged', 1, -32700, 3]);
  });

  it('keeps the first of two requests with one id', async () => {
    const client = await connected();
    client.write(call(1, 'slow', { ms: 20, text: 'first' }), call(1, 'echo', { text: 'second' }));
    await client.until(2);
    expect(client.answers[0]?.error?.code).toBe(-32600);
    expect(client.answers[1]?.result).toEqual({ text: 'first' });
    client.write(call(1, 'echo', { text: 'third' }));
    await client.until(3);
    expect(client.answers[2]?.result).toEqual({ text: 'third' });
  });

  it('sends notifications of a call before its answer, and none after', async () => {
    const client = await connected();
    client.write(call(1, 'speak', { count: 2 }), call(2, 'late'));
    await client.until(4);
    await pause(20);
    const calls = client.answers.filter(({ id, method }) => id === 1 || method === 'notifications/progress');
    expect(calls.map(({ id, params }) => id ?? params?.['progress'])).toEqual([1, 2, 1]);
    expect(client.answers).toHaveLength(4);
  });

  it('gives handlers a request without headers and a response that cannot be written', async () => {
    const client = await connected();
    client.write(request(1, 'ping'));
    await client.until(1);
    const { request: received, response, transport, identity } = client.server.calls.at(-1) ?? {};
    expect({ received, transport, identity }).toEqual({
      received: { headers: {} },
      transport: 'stdio',
      identity: undefined,
    });
    const { setHeader, json } = response as {
      setHeader(name: string, value: string): unknown;
      json(body: unknown): void;
    };
    expect(setHeader.call(response, 'x', 'y')).toBe(response);
    expect(() => json({})).toThrow('no HTTP response');
  });
});

describe('cancellation on a pipe', () => {
  it.each([
    ['handshake', (message: object): object => message],
    ['modern', (message: object): object => modern(message)],
  ])('aborts the call and silences it, id 0 too (%s)', async (_era, dress) => {
    const client = await connected();
    client.write(dress(call(0, 'wait')), cancel(0), call(9, 'echo', { text: 'alive' }));
    await client.until(1);
    await pause(5);
    expect(client.server.signals[0]?.aborted).toBe(true);
    expect(client.answers.map(({ id }) => id)).toEqual([9]);
  });

  it('does not mix up 1 and "1"', async () => {
    const client = await connected();
    client.write(call(1, 'slow', { ms: 5 }), cancel('1'));
    await client.until(1);
    expect(client.answer(1)?.result).toBeDefined();
  });

  it('does not cancel initialize', async () => {
    const client = connect();
    client.write(initialize('2025-11-25', 0), cancel(0));
    await client.until(1);
    expect(client.answer(0)?.result).toBeDefined();
  });

  it('ends a subscription without a word', async () => {
    const client = connect();
    client.write(modern(request('L', 'subscriptions/listen')), cancel('L'), modern(request(2, 'who')));
    await client.until(2);
    await pause(5);
    expect(client.answers.map(({ id, method }) => id ?? method)).toEqual([
      'notifications/subscriptions/acknowledged',
      2,
    ]);
  });
});

describe('questions on a pipe', () => {
  it('asks the client and takes its answer', async () => {
    const client = await connected();
    client.write(call(1, 'ask'));
    await client.until(1);
    const [question] = client.answers;
    expect(question).toMatchObject({ jsonrpc: '2.0', method: 'roots/list' });
    client.write({ jsonrpc: '2.0', id: question?.id, result: { roots: [] } });
    await client.until(2);
    expect(client.answer(1)?.result).toEqual({ text: { roots: [] } });
  });

  it('hands on the client’s error', async () => {
    const client = await connected();
    client.write(call(1, 'ask'));
    await client.until(1);
    client.write({ jsonrpc: '2.0', id: client.answers[0]?.id, error: { code: -1, message: 'no' } });
    await client.until(2);
    expect(client.answer(1)?.result).toEqual({ text: 'McpError' });
  });

  it('never asks a modern client', async () => {
    const client = await connected();
    client.write(modern(call(1, 'ask')));
    await client.until(1);
    expect(client.answer(1)?.result).toEqual({ text: 'cannot ask' });
  });

  it('withdraws the question of a cancelled call', async () => {
    const client = await connected();
    client.write(call(1, 'ask'));
    await client.until(1);
    client.write(cancel(1));
    await client.until(2);
    expect(client.answers[1]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: client.answers[0]?.id },
    });
  });

  it('does not wait for answers when the client closed its side', async () => {
    const client = await connected();
    client.write(call(1, 'ask'));
    await client.until(1);
    client.input.end();
    await client.transport.closed;
    expect(client.answer(1)?.result).toEqual({ text: 'ServerClosing' });
  });
});

describe('batches on a pipe', () => {
  const batch = [request(1, 'ping'), { jsonrpc: '2.0', method: 'notifications/x' }, request(2, 'ping'), { id: 3 }];

  it('answers a batch of 2025-03-26 with one array', async () => {
    const client = await connected({}, '2025-03-26');
    client.write(JSON.stringify(batch), JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/x' }]));
    await client.until(1);
    const [answers] = client.heard;
    expect(answers).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
      { id: 3, error: { code: -32600 } },
    ]);
    expect(client.heard).toHaveLength(1);
  });

  it('leaves a cancelled request out of the array', async () => {
    const client = await connected({}, '2025-03-26');
    client.write(JSON.stringify([call(1, 'wait'), request(2, 'ping')]), cancel(1));
    await client.until(1);
    expect(client.heard[0]).toMatchObject([{ id: 2 }]);
  });

  it('answers each request once, whatever becomes of a subscription among them', async () => {
    const client = await connected({}, '2025-03-26');
    const slow = (id: number, ms: number) => call(id, 'slow', { ms, text: 'slept' });
    const listen = modern(request('L', 'subscriptions/listen', { notifications: {} }));
    client.write(JSON.stringify([listen, slow(1, 20), slow(2, 60)]), cancel('L'));
    await client.until(2);
    await pause(80);
    // Beside it the subscription was acknowledged.
    expect(client.heard.filter(Array.isArray)).toMatchObject([[{ id: 1 }, { id: 2 }]]);
  });

  it.each([
    ['an empty one', []],
    ['one with initialize', [request(1, 'ping'), initialize()]],
    ['one with too many messages', Array.from({ length: 3 }, (_unused, id) => request(id, 'ping'))],
  ])('refuses %s', async (_what, messages) => {
    const client = await connected({ maxBatchItems: 2 }, '2025-03-26');
    client.write(JSON.stringify(messages));
    await client.until(1);
    expect(client.answers[0]?.error?.code).toBe(-32600);
    expect(client.answers[0]).not.toHaveProperty('id');
  });

  it('knows no batches in later revisions', async () => {
    const client = await connected({}, '2025-06-18');
    client.write(JSON.stringify(batch));
    await client.until(1);
    expect(client.answers[0]?.error?.code).toBe(-32600);
  });
});

describe('changes on a pipe', () => {
  it('tells a handshake client that is ready', async () => {
    const client = connect();
    const bus = new InProcessChangeBus(client.logger);
    const other = connect({ bus });
    bus.publish({ kind: 'tools' });
    other.write(initialize());
    await other.until(1);
    bus.publish({ kind: 'tools' });
    other.write(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request(1, 'resources/subscribe', { uri: 'x:1' }),
    );
    await other.until(2);
    bus.publish({ kind: 'tools' });
    bus.publish({ kind: 'resource', uri: 'x:1' });
    bus.publish({ kind: 'resource', uri: 'x:2' });
    await other.until(4);
    expect(other.answers.slice(2).map(({ method, params }) => [method, params?.['uri']])).toEqual([
      ['notifications/tools/list_changed', undefined],
      ['notifications/resources/updated', 'x:1'],
    ]);
    await other.transport.close();
    bus.publish({ kind: 'tools' });
    expect(other.answers).toHaveLength(4);
  });
});

describe('the end of a pipe', () => {
  it('is quiet when nothing was said', async () => {
    const client = connect();
    client.input.end();
    await client.transport.closed;
    expect(client.lines).toEqual([]);
  });

  it('answers a last line without newline', async () => {
    const client = await connected();
    client.input.end(JSON.stringify(request(1, 'ping')));
    await client.transport.closed;
    await pause(1);
    expect(client.answer(1)?.result).toEqual({});
  });

  it('answers what was held behind initialize when everything came at once', async () => {
    const client = connect();
    client.input.end(`${JSON.stringify(initialize())}\n${JSON.stringify(call(1, 'slow', { ms: 10, text: 'ok' }))}`);
    await client.transport.closed;
    expect(client.answer(1)?.result).toEqual({ text: 'ok' });
  });

  it('lets running calls end', async () => {
    const client = await connected();
    client.write(call(1, 'slow', { ms: 30, text: 'done' }));
    client.input.end();
    await client.transport.closed;
    expect(client.answer(1)?.result).toEqual({ text: 'done' });
  });

  it('aborts calls that take too long, and takes their last words', async () => {
    const client = await connected({ drainMs: 20 });
    client.write(call(1, 'wait'), call(2, 'slow', { ms: 5_000 }));
    client.input.end();
    const began = Date.now();
    await client.transport.closed;
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(client.server.signals[0]?.reason).toBeInstanceOf(ServerClosing);
    expect(client.answer(1)?.result).toEqual({ text: 'closing' });
  });

  it('ends subscriptions at once, with their result', async () => {
    const client = connect();
    client.write(modern(request('L', 'subscriptions/listen')));
    await client.until(1);
    const began = Date.now();
    await client.transport.close();
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(client.answer('L')?.result).toEqual({ over: true });
  });

  it('goes quietly when nobody reads any more', async () => {
    const client = await connected();
    client.write(call(1, 'wait'), call(2, 'slow', { ms: 10 }));
    await pause(5);
    client.output.destroy(Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
    await client.transport.closed;
    expect(client.server.signals[0]?.aborted).toBe(true);
    expect(client.logger.errors).toEqual([]);
    await pause(20);
  });

  it('takes a broken input for the end', async () => {
    const client = await connected();
    client.input.destroy(new Error('EIO'));
    await client.transport.closed;
  });

  it('stops reading while the client does not read', async () => {
    const client = await connected();
    client.output.pause();
    client.write(...Array.from({ length: 50 }, (_unused, id) => call(id, 'echo', { text: 'x'.repeat(1_000) })));
    await pause(10);
    expect(client.input.isPaused()).toBe(true);
    client.output.resume();
    await client.until(50);
    client.write(request('after', 'ping'));
    await client.until(51);
  });
});

describe('lifecycle methods', () => {
  it('answer shutdown, then end without reading on', async () => {
    const client = await connected({ lifecycleMethods: true });
    client.write(request(1, 'shutdown'), request(2, 'ping'));
    await client.transport.closed;
    await pause(1);
    expect(client.answers.map(({ id, result }) => [id, result])).toEqual([[1, {}]]);
  });

  it('end by an exit notification', async () => {
    const client = await connected({ lifecycleMethods: true });
    client.write({ jsonrpc: '2.0', method: 'exit' }, request(2, 'ping'));
    await client.transport.closed;
    expect(client.answers).toEqual([]);
  });

  it('do not exist by default', async () => {
    const client = await connected();
    client.write(request(1, 'shutdown'), request(2, 'ping'));
    await client.until(2);
    expect(client.answer(1)?.error?.code).toBe(-32601);
    expect(client.answer(2)?.result).toEqual({});
  });
});

describe('Content-Length frames', () => {
  const body = JSON.stringify(request(1, 'ping'));

  it('are read when they are switched on', async () => {
    const client = await connected({ contentLengthFrames: true, maxLineBytes: 500 });
    const smuggled = `${JSON.stringify(request('smuggled', 'ping'))}\n${'x'.repeat(500)}`;
    client.input.write(
      `Content-Length: ${body.length}\r\n\r\n${body}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    );
    client.write(request(2, 'ping'));
    await client.until(3);
    expect(client.answer(1)?.result).toEqual({});
    expect(client.answer(2)?.result).toEqual({});
    expect(client.answers.find(({ error }) => error !== undefined)?.error).toEqual({
      code: -32600,
      message: 'Request frame exceeds 500 bytes',
    });
    expect(client.answer('smuggled')).toBeUndefined();
  });

  it('answer a length that is none', async () => {
    const client = await connected({ contentLengthFrames: true });
    client.input.write('Content-Length: ten\r\n\r\n');
    await client.until(1);
    expect(client.answers[0]?.error?.code).toBe(-32700);
  });

  it('are lines like any other by default', async () => {
    const client = await connected();
    client.input.write(`Content-Length: ${body.length}\r\n\r\n${body}\n`);
    await client.until(2);
    expect(client.answers[0]?.error?.code).toBe(-32700);
    expect(client.answer(1)?.result).toEqual({});
  });
});
