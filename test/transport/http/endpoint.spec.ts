import { afterEach, describe, expect, it, vi } from 'vitest';
import { tool } from '../../protocol/core-fixture.js';
import { BOTH, legacy, modern, RawConnection, serveEndpoint, type EndpointFixture } from './endpoint-fixture.js';

const echo = tool('echo', (args) => (args as { text: string }).text);
let fixture: EndpointFixture | undefined;

afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

async function serve(...args: Parameters<typeof serveEndpoint>): Promise<EndpointFixture> {
  return (fixture = await serveEndpoint(...args));
}

function defined(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const post = (url: string, { body, headers }: { body: string; headers: Record<string, string> }) =>
  fetch(url, { method: 'POST', body, headers });

describe('a request', () => {
  it.each([
    ['modern', modern],
    ['legacy', legacy],
  ] as const)('is answered in JSON: %s', async (_era, make) => {
    const { url } = await serve([echo]);
    const answer = await post(url, make('tools/call', { name: 'echo', arguments: { text: 'hi' } }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: 'hi' }] } });
  });

  it('is answered as one event when the client takes only events', async () => {
    const { url } = await serve([echo]);
    const request = modern('tools/call', { name: 'echo', arguments: { text: 'hi' } });
    const answer = await post(url, { ...request, headers: { ...request.headers, accept: 'text/event-stream' } });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toMatch(/^data: \{"jsonrpc":"2\.0","id":1,.*\}\n\n$/);
  });

  it('streams what is said before the result, with the result last', async () => {
    const { url } = await serve([
      tool('work', (_args, context) => {
        context.progress(1, 2);
        return 'done';
      }),
    ]);
    const request = modern('tools/call', { name: 'work', _meta: { progressToken: 'p' } });
    const answer = await post(url, request);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    const events = (await answer.text())
      .trim()
      .split('\n\n')
      .map((event) => JSON.parse(event.replace(/^data: /, '')) as object);
    expect(events).toMatchObject([
      { method: 'notifications/progress' },
      { id: 1, result: { content: [{ text: 'done' }] } },
    ]);
    const quiet = await post(url, { ...request, headers: { ...request.headers, accept: 'application/json' } });
    expect(quiet.headers.get('content-type')).toBe('application/json');
  });

  it.each(['text/html', 'application/json;q=0, text/event-stream;q=0'])('with Accept %s is 406', async (accept) => {
    const { url } = await serve([echo]);
    const request = modern('tools/list');
    expect((await post(url, { ...request, headers: { ...request.headers, accept } })).status).toBe(406);
  });

  it.each([undefined, '*/*', 'application/*', 'application/json'])('with Accept %s is served', async (accept) => {
    const { port } = await serve([echo]);
    const connection = await RawConnection.open(port);
    const { body, headers } = legacy('tools/list');
    const lines = Object.entries({ ...headers, ...(accept === undefined ? {} : { accept }) }).map(
      ([k, v]) => `${k}: ${v}`,
    );
    const answer = await connection
      .post(body, accept === undefined ? lines.filter((line) => !line.startsWith('accept')) : lines)
      .answer();
    expect(answer.status).toBe(200);
    connection.socket.destroy();
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', undefined])(
    'with Content-Type %s is 415 and closes',
    async (type) => {
      const { port } = await serve([echo]);
      const connection = await RawConnection.open(port);
      const answer = await connection.post('{}', [...(type === undefined ? [] : [`Content-Type: ${type}`])]).answer();
      expect(answer.status).toBe(415);
      expect(answer.head).toMatch(/connection: close/i);
      await connection.rest();
    },
  );

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8'])(
    'with Content-Type %s is served',
    async (type) => {
      const { url } = await serve([echo]);
      const request = legacy('tools/list');
      expect((await post(url, { ...request, headers: { ...request.headers, 'content-type': type } })).status).toBe(200);
    },
  );

  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('by %s is 405 and says what is allowed', async (method) => {
    const { url } = await serve([echo]);
    const answer = await fetch(url, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(await answer.json()).toMatchObject({ error: { code: -32600 } });
  });
});

describe('headers of a modern request', () => {
  const good = modern('tools/call', { name: 'echo', arguments: { text: 'x' } }, 'q-1');

  it.each([
    ['no version', { 'mcp-protocol-version': undefined }, -32020],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }, -32020],
    ['no method', { 'mcp-method': undefined }, -32020],
    ['another method', { 'mcp-method': 'tools/list' }, -32020],
    ['the method in another case', { 'mcp-method': 'TOOLS/CALL' }, -32020],
    ['no name', { 'mcp-name': undefined }, -32020],
    ['another name', { 'mcp-name': 'add' }, -32020],
    ['a name in Base64 that is not canonical', { 'mcp-name': '=?base64?ZWNobx==?=' }, -32020],
    ['a method in Base64', { 'mcp-method': '=?base64?dG9vbHMvY2FsbA==?=' }, -32020],
  ] as const)('with %s are refused, naming no value', async (_what, change, code) => {
    const { url } = await serve([echo]);
    const headers = defined({ ...good.headers, ...change });
    const answer = await post(url, { body: good.body, headers });
    expect(answer.status).toBe(400);
    const body = await answer.text();
    expect(JSON.parse(body)).toMatchObject({ id: 'q-1', error: { code } });
    expect(body).not.toContain('echo');
  });

  it.each([{ 'mcp-name': '=?base64?ZWNobw==?=' }, { 'MCP-NAME': '  echo  ', 'mcp-name': undefined }])(
    'say the same in other words: %j',
    async (change) => {
      const { url } = await serve([echo]);
      const headers = defined({ ...good.headers, ...change });
      expect((await post(url, { body: good.body, headers })).status).toBe(200);
    },
  );

  it.each([
    [0, 1],
    [1, 0],
  ])('must all be true when repeated, in either order (%i, %i)', async (first, second) => {
    const { port } = await serve([echo]);
    for (const [name, values] of [
      ['MCP-Protocol-Version', ['2026-07-28', '2025-11-25']],
      ['Mcp-Method', ['tools/call', 'tools/list']],
      ['Mcp-Name', ['echo', 'add']],
    ] as const) {
      const connection = await RawConnection.open(port);
      const lines = Object.entries(good.headers)
        .filter(([key]) => key !== name.toLowerCase())
        .map(([key, value]) => `${key}: ${value}`);
      const answer = await connection
        .post(good.body, [...lines, `${name}: ${values[first]}`, `${name}: ${values[second]}`])
        .answer();
      expect([name, answer.status]).toEqual([name, 400]);
      connection.socket.destroy();
    }
  });

  it('are judged after the body’s own fields, and before the version is looked at', async () => {
    const { url } = await serve([echo]);
    const body = (meta: object) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } });
    const code = async (meta: object, version = '2026-07-28') => {
      const answer = await post(url, {
        body: body(meta),
        headers: { ...modern('tools/list').headers, 'mcp-protocol-version': version },
      });
      expect(answer.status).toBe(400);
      return ((await answer.json()) as { error: { code: number; data?: unknown } }).error;
    };
    const version = 'io.modelcontextprotocol/protocolVersion';
    const capabilities = 'io.modelcontextprotocol/clientCapabilities';
    expect((await code({})).code).toBe(-32602);
    expect((await code({ [version]: '2026-07-28' })).code).toBe(-32602);
    expect((await code({ [version]: 'v999', [capabilities]: {} })).code).toBe(-32020);
    expect(await code({ [version]: 'v999', [capabilities]: {} }, 'v999')).toMatchObject({
      code: -32022,
      data: { requested: 'v999' },
    });
    expect(await code({}, '1900-01-01')).toMatchObject({ code: -32022, data: { requested: '1900-01-01' } });
  });

  it('repeat annotated arguments', async () => {
    const input = {
      wire: {
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          max: { type: 'integer', 'x-mcp-header': 'Max' },
        },
      },
      parse: (args: Record<string, unknown>) => ({ ok: true as const, value: args }),
    };
    const { url } = await serve([tool('echo', () => 'ok', { input })]);
    const status = async (args: object, extra: Record<string, string>) => {
      const request = modern('tools/call', { name: 'echo', arguments: args });
      return (await post(url, { ...request, headers: { ...request.headers, ...extra } })).status;
    };
    expect(await status({ region: 'eu' }, { 'mcp-param-region': 'eu' })).toBe(200);
    expect(await status({ region: 'eu' }, { 'mcp-param-region': 'us' })).toBe(400);
    expect(await status({ region: 'eu' }, {})).toBe(400);
    expect(await status({}, {})).toBe(200);
    expect(await status({ region: null }, {})).toBe(200);
    expect(await status({}, { 'mcp-param-region': 'eu' })).toBe(400);
    expect(await status({}, { 'mcp-param-other': 'eu' })).toBe(200);
    for (const good_ of ['42', '42.0', '42.00'])
      expect(await status({ max: 42 }, { 'mcp-param-max': good_ })).toBe(200);
    for (const bad of ['042', '+42', '4_2', '0x2A', '1e2', '42abc', '', '9'.repeat(400)])
      expect(await status({ max: 42 }, { 'mcp-param-max': bad })).toBe(400);
  });
});

describe('a body', () => {
  const lines = ['Content-Type: application/json'];
  const answerTo = async (port: number, body: string) => {
    const connection = await RawConnection.open(port);
    const answer = await connection.post(body, lines).answer();
    const again = await connection.post(legacy('ping').body, lines).answer();
    connection.socket.destroy();
    expect(again.status).toBe(200);
    return answer;
  };

  it.each([
    ['', 400, -32700],
    ['{not json SECRET', 400, -32700],
    ['[]', 400, -32600],
    ['42', 400, -32600],
    ['null', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"x"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":5}', 400, -32600],
    ['{"hello":"world"}', 400, -32600],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 400, -32600],
  ])('%j is %i %i, and the connection is kept', async (body, status, code) => {
    const { port } = await serve([echo]);
    const answer = await answerTo(port, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code } });
    expect(answer.body).not.toContain('SECRET');
  });

  it('with a byte order mark is read, one that is not UTF-8 is not', async () => {
    const { url } = await serve([echo]);
    const headers = legacy('ping').headers;
    expect((await fetch(url, { method: 'POST', headers, body: `\ufeff${legacy('ping').body}` })).status).toBe(200);
    const bad = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const answer = await fetch(url, { method: 'POST', headers, body: bad });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32700 } });
  });

  it('is read up to the limit, and refused one byte later', async () => {
    const { url } = await serve([echo], { limits: { bodyBytes: 1_000 } });
    const sized = (bytes: number) => {
      const empty = legacy('tools/call', { name: 'echo', arguments: { text: '' } });
      const request = legacy('tools/call', {
        name: 'echo',
        arguments: { text: 'x'.repeat(bytes - empty.body.length) },
      });
      expect(request.body).toHaveLength(bytes);
      return request;
    };
    expect((await post(url, sized(1_000))).status).toBe(200);
    expect((await post(url, sized(1_001))).status).toBe(413);
  });

  it('that is announced too large is refused before it is sent, and the connection closes', async () => {
    const { port } = await serve([echo]);
    const connection = await RawConnection.open(port);
    connection.write(
      'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 33554432\r\n\r\n',
    );
    const answer = await connection.answer();
    expect(answer.status).toBe(413);
    expect(answer.head).toMatch(/connection: close/i);
    await connection.rest();
  });

  it('that drips is given up at one deadline', async () => {
    const { port } = await serve([echo], { limits: { bodyTimeoutMs: 150 } });
    const connection = await RawConnection.open(port);
    connection.write('POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => connection.write(' '), 30);
    expect((await connection.answer()).status).toBe(408);
    clearInterval(drip);
    await connection.rest();
  });

  it('of unknown length is read under the same bounds, or refused where the host wants so', async () => {
    const chunked = async (port: number) => {
      const connection = await RawConnection.open(port);
      const { body } = legacy('ping');
      connection.write(
        'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      connection.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
      const answer = await connection.answer();
      connection.socket.destroy();
      return answer.status;
    };
    const open = await serve([echo]);
    expect(await chunked(open.port)).toBe(200);
    await open.close();
    const strict = await serve([echo], { limits: { requireContentLength: true } });
    expect(await chunked(strict.port)).toBe(411);
  });

  it('is shown to the host byte for byte, and refused without detail', async () => {
    const seen: string[] = [];
    const verdicts: unknown[] = [true, false, new Error('SECRET')];
    const { url } = await serve([echo], {
      rawBody: (_request, bytes) => {
        seen.push(bytes.toString('latin1'));
        const verdict = verdicts.shift();
        if (verdict instanceof Error) throw verdict;
        return verdict;
      },
    });
    const body = ` ${legacy('ping').body}\n`;
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await post(url, { ...legacy('ping'), body }));
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 500]);
    expect(await answers[2]?.text()).not.toContain('SECRET');
    expect(seen).toEqual([body, body, body]);
  });
});

describe('notifications and responses', () => {
  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, legacy('x').headers, 202],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/whatever' }, legacy('x').headers, 202],
    [
      'a modern notification without headers',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { 'content-type': 'application/json' },
      202,
    ],
    [
      'a modern notification that lies',
      { jsonrpc: '2.0', method: 'notifications/x' },
      { ...modern('notifications/y').headers },
      400,
    ],
    ['a response in handshake revisions', { jsonrpc: '2.0', id: 5, result: {} }, legacy('x').headers, 202],
    ['a response in 2026-07-28', { jsonrpc: '2.0', id: 5, result: {} }, modern('x').headers, 400],
  ] as const)('%s', async (_what, message, headers, status) => {
    const { url } = await serve([echo]);
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(message), headers });
    expect(answer.status).toBe(status);
    if (status === 202) expect(await answer.text()).toBe('');
  });
});

describe('batches', () => {
  const batch = JSON.stringify([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/x' },
    { jsonrpc: '2.0', id: 2, method: 'nope' },
    5,
  ]);

  it('are answered in 2025-03-26', async () => {
    const { url } = await serve([echo]);
    const answer = await fetch(url, {
      method: 'POST',
      body: batch,
      headers: { 'content-type': 'application/json', accept: BOTH },
    });
    expect(await answer.json()).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32601 } },
      { error: { code: -32600 } },
    ]);
  });

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('do not exist in %s', async (version) => {
    const { url } = await serve([echo]);
    const answer = await post(url, {
      body: batch,
      headers: { ...legacy('x').headers, 'mcp-protocol-version': version },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32600 } });
  });

  it('are bounded, never empty, and hold no initialize', async () => {
    const { url } = await serve([echo], { limits: { batchItems: 2 } });
    const status = async (items: unknown[]) =>
      (
        await fetch(url, {
          method: 'POST',
          body: JSON.stringify(items),
          headers: { 'content-type': 'application/json' },
        })
      ).status;
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect(await status([])).toBe(400);
    expect(await status([ping, ping, ping])).toBe(400);
    expect(await status([{ ...ping, method: 'initialize' }])).toBe(400);
    expect(await status([{ jsonrpc: '2.0', method: 'notifications/x' }])).toBe(202);
  });
});

function signalled(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve: () => resolve() };
}

describe('a client that leaves', () => {
  const slow = () => {
    let aborted = false;
    const started = signalled();
    const over = signalled();
    const definition = tool('slow', async (_args, context) => {
      context.signal.addEventListener('abort', () => {
        aborted = true;
        over.resolve();
      });
      started.resolve();
      await Promise.race([over.promise, new Promise((resolve) => setTimeout(resolve, 200))]);
      return 'x';
    });
    return { definition, started: started.promise, aborted: () => aborted };
  };

  it.each([
    ['is a cancelled call in 2026-07-28', modern, true],
    ['may come back in handshake revisions', legacy, false],
  ] as const)('%s', async (_era, make, cancelled) => {
    const probe = slow();
    const { url } = await serve([probe.definition]);
    const controller = new AbortController();
    const request = make('tools/call', { name: 'slow' });
    const call = fetch(url, { method: 'POST', ...request, signal: controller.signal });
    await probe.started;
    controller.abort();
    await expect(call).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(probe.aborted()).toBe(cancelled);
  });
});

describe('shutdown', () => {
  it('answers for calls that do not end, with and without a stream', async () => {
    let running = 0;
    const deaf = tool('deaf', (_args, context) => {
      running += 1;
      context.progress(1);
      return new Promise(() => undefined);
    });
    const { url, endpoint } = await serve([deaf], { drainMs: 20 });
    const silent = post(url, modern('tools/call', { name: 'deaf' }, 'silent'));
    const request = modern('tools/call', { name: 'deaf', _meta: { progressToken: 1 } }, 'streaming');
    const streaming = await post(url, request);
    await vi.waitFor(() => expect(running).toBe(2));
    await endpoint.close();
    const error = { code: -32603, message: 'The server is shutting down' };
    const answer = await silent;
    expect([answer.status, await answer.json()]).toMatchObject([503, { id: 'silent', error }]);
    expect(await streaming.text()).toContain(JSON.stringify({ jsonrpc: '2.0', id: 'streaming', error }));
  });

  it('ends subscriptions with their result, lets calls finish, and refuses what comes after', async () => {
    const running = await serve([tool('slow', () => new Promise((resolve) => setTimeout(() => resolve('done'), 80)))]);
    const connection = await RawConnection.open(running.port);
    const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'L1');
    connection.post(
      listen.body,
      Object.entries(listen.headers).map(([k, v]) => `${k}: ${v}`),
    );
    await connection.until('subscriptions/acknowledged');
    running.bus.publish({ kind: 'tools' });
    await connection.until('tools/list_changed');
    const call = post(running.url, modern('tools/call', { name: 'slow' }));
    await new Promise((resolve) => setTimeout(resolve, 30));
    const closed = running.endpoint.close();
    expect((await post(running.url, legacy('ping'))).status).toBe(503);
    await connection.until('"resultType":"complete"');
    expect(await (await call).json()).toMatchObject({ result: { content: [{ text: 'done' }] } });
    await closed;
    expect(running.endpoint.streams).toBe(0);
    expect(running.bus.size).toBe(0);
    connection.socket.destroy();
  });

  it.each([
    ['a subscription', modern('subscriptions/listen', { notifications: { toolsListChanged: true } })],
    ['a call that never ends', modern('tools/call', { name: 'deaf' })],
  ])('begins nothing whose body was still on its way: %s', async (_what, { body, headers }) => {
    let calls = 0;
    const deaf = tool('deaf', () => {
      calls += 1;
      return new Promise(() => undefined);
    });
    const running = await serve([deaf], { drainMs: 60 });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const begin = async (): Promise<RawConnection> => {
      const connection = await RawConnection.open(running.port);
      const head = ['POST /mcp HTTP/1.1', 'Host: x', `Content-Length: ${body.length}`, ...lines].join('\r\n');
      return connection.write(`${head}\r\n\r\n${body.slice(0, 10)}`);
    };
    const [late, withheld] = [await begin(), await begin()];
    const busy = post(running.url, modern('tools/call', { name: 'deaf' }, 'busy'));
    await vi.waitFor(() => expect(calls).toBe(1));
    const closed = running.endpoint.close();
    late.write(body.slice(10));
    for (const connection of [late, withheld]) {
      const all = await connection.rest();
      expect(all).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*The server is shutting down/);
    }
    await closed;
    expect((await busy).status).toBe(503);
    expect(calls).toBe(1);
    expect(running.bus.size).toBe(0);
  });

  it('answers for a hook of the host that never does', async () => {
    const { url, endpoint } = await serve([], { drainMs: 20, rawBody: () => new Promise(() => undefined) });
    const answer = post(url, modern('tools/list'));
    await vi.waitFor(async () => {
      await endpoint.close();
      expect((await answer).status).toBe(503);
    });
  });
});
