import { Inject, Injectable, Scope, type CanActivate, type LoggerService } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import {
  McpNotifier,
  McpTool,
  type ChangeBus,
  type ChangeListener,
  type McpCatalogEntry,
  type McpContext,
  type McpModuleOptions,
  type McpRawBodyCheck,
  type McpVisibility,
} from 'nestjs-mcp';
import { describe, expect, it } from 'vitest';
import {
  call,
  callTool,
  exchange,
  JSON_HEADERS,
  legacy,
  modern,
  PLATFORMS,
  post,
  start,
  type Answer,
  type Running,
} from './nest-app.js';
import { hostModule, OPEN, type HostParts } from './nest-fixture.js';

@Injectable()
class Who {
  @McpTool()
  who(_args: object, { identity, identityKey }: McpContext): unknown {
    return { identity, identityKey };
  }

  @McpTool({ task: 'allowed' })
  work(): string {
    return 'worked';
  }

  @McpTool()
  async ask(_args: object, context: McpContext): Promise<string> {
    const { action } = await context.elicit({
      message: 'Sure?',
      schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
    });
    return action;
  }
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'test', version: '1' },
};

async function toolNames(url: string, headers?: Record<string, string>): Promise<string[]> {
  const { result } = await call(url, 'tools/list', undefined, headers);
  return ((result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
}

async function openSession(url: string): Promise<string | null> {
  return (await post(url, legacy('initialize', INITIALIZE))).headers.get('mcp-session-id');
}

describe.each(PLATFORMS)('on %s, the option', (platform) => {
  async function serving<T>(
    options: Partial<McpModuleOptions>,
    check: (running: Running) => Promise<T>,
    parts: HostParts = {},
  ): Promise<T> {
    const running = await start(
      platform,
      hostModule({ ...parts, providers: [Who, ...(parts.providers ?? [])], options }),
    );
    try {
      return await check(running);
    } finally {
      await running.app.close();
    }
  }

  it('identity says who calls, identityKey by what callers are compared', async () => {
    const options: Partial<McpModuleOptions> = {
      identity: (request: object) => ({ nr: (request as { headers: Record<string, string> }).headers['x-nr'] }),
      identityKey: (identity) => `nr-${String((identity as { nr: string }).nr)}`,
    };
    await serving(options, async ({ url }) => {
      const text = await callTool(url(), 'who', {}, { 'x-nr': '7' });
      expect(JSON.parse(text)).toEqual({ identity: { nr: '7' }, identityKey: 'nr-7' });
    });
    const broken = { identity: () => 'ada', identityKey: (): string => 7 as unknown as string };
    await serving(broken, async ({ url }) => {
      const response = await post(url(), legacy('ping'));
      expect(response.status).toBe(500);
      expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}');
    });
  });

  it('visibility hides an entry from list and call alike: a function', async () => {
    const visibility = ({ key }: McpCatalogEntry): boolean => key !== 'who';
    await serving({ visibility }, async ({ url }) => {
      expect(await toolNames(url())).toEqual(['ask', 'echo', 'work']);
      expect(await callTool(url(), 'who')).toBe('error -32602: Unknown tool');
    });
  });

  it('visibility may be a class of the container, request-scoped too', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class ByHeader implements McpVisibility {
      constructor(@Inject(REQUEST) private readonly request: { headers: Record<string, string | undefined> }) {}

      isVisible({ key }: McpCatalogEntry): boolean {
        return this.request.headers['x-sees'] === key;
      }
    }
    await serving(
      { visibility: ByHeader },
      async ({ url }) => {
        expect(await toolNames(url(), { 'x-sees': 'who' })).toEqual(['who']);
        expect(await toolNames(url(), { 'x-sees': 'echo' })).toEqual(['echo']);
      },
      { providers: [ByHeader] },
    );
  });

  it('rawBody judges the exact bytes: a function', async () => {
    const seen: string[] = [];
    const rawBody = (_request: object, bytes: Buffer): boolean => {
      seen.push(bytes.toString('latin1'));
      return !bytes.includes('refuse');
    };
    await serving({ rawBody }, async ({ url }) => {
      const body = ` ${legacy('ping')} `;
      expect((await post(url(), body)).status).toBe(200);
      const refused = await post(url(), legacy('ping', undefined, 'refuse'));
      expect(refused.status).toBe(403);
      expect(await refused.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Forbidden"}}');
      expect(seen[0]).toBe(body);
    });
  });

  it('rawBody may be a class created with what the application provides', async () => {
    @Injectable()
    class Secret {
      readonly word = 'open';
    }
    @Injectable()
    class Signature implements McpRawBodyCheck {
      constructor(private readonly secret: Secret) {}

      verify(request: object): boolean {
        return (request as { headers: Record<string, unknown> }).headers['x-word'] === this.secret.word;
      }
    }
    await serving(
      { rawBody: Signature },
      async ({ url }) => {
        expect((await post(url(), legacy('ping'), { 'x-word': 'open' })).status).toBe(200);
        expect((await post(url(), legacy('ping'))).status).toBe(403);
      },
      { providers: [Secret] },
    );
  });

  it('limits bounds bodies', async () => {
    const limits = { bodyBytes: 1_024, bodyTimeoutMs: 100, batchItems: 2, requireContentLength: true };
    await serving({ limits }, async ({ url, port }) => {
      expect((await post(url(), `"${'x'.repeat(1_024)}"`)).status).toBe(413);
      const head = 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: */*\r\n';
      expect((await exchange(port, `${head}Content-Length: 100\r\n\r\n{`, 1_000)).text).toMatch(/^HTTP\/1\.1 408 /);
      expect((await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n`, 1_000)).text).toMatch(
        /^HTTP\/1\.1 411 /,
      );
      const batch = (count: number): Promise<Response> =>
        post(url(), `[${Array.from({ length: count }, (_, id) => legacy('ping', undefined, id)).join()}]`, {
          'mcp-protocol-version': '2025-03-26',
        });
      expect(await (await batch(2)).json()).toHaveLength(2);
      expect((await batch(3)).status).toBe(400);
    });
  });

  it('limits.streams bounds event streams, keepAliveMs fills their silence', async () => {
    await serving({ limits: { streams: 1 }, keepAliveMs: 20 }, async ({ url }) => {
      const listen = (): Promise<Response> =>
        modern(url(), 'subscriptions/listen', { notifications: { toolsListChanged: true } });
      const first = await listen();
      const reader = first.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('\n:')) text += (await reader?.read())?.value ?? '';
      expect(first.status).toBe(200);
      const second = await listen();
      expect(second.headers.get('content-type')).toBe('application/json');
      expect(((await second.json()) as Answer).error).toBeDefined();
      await reader?.cancel();
    });
  });

  it('revisions says which are served', async () => {
    await serving({ revisions: ['2025-06-18'] }, async ({ url }) => {
      const { result } = await call(url(), 'initialize', { ...INITIALIZE, protocolVersion: '2025-11-25' });
      expect(result?.['protocolVersion']).toBe('2025-06-18');
      const refused = await modern(url(), 'tools/list');
      expect(refused.status).toBe(400);
      expect(((await refused.json()) as Answer).error?.code).toBe(-32022);
    });
  });

  it('pageSize cuts lists', async () => {
    await serving({ pageSize: { tools: 3 } }, async ({ url }) => {
      const { result } = await call(url(), 'tools/list');
      expect(result?.['tools']).toHaveLength(3);
      const next = await call(url(), 'tools/list', { cursor: result?.['nextCursor'] });
      expect(next.result?.['tools']).toHaveLength(1);
    });
  });

  it('cache says how long results keep', async () => {
    await serving({ cache: { tools: { ttlMs: 5_000, scope: 'public' } } }, async ({ url }) => {
      const { result } = (await (await modern(url(), 'tools/list')).json()) as Answer;
      expect(result).toMatchObject({ ttlMs: 5_000, cacheScope: 'public' });
      const prompts = (await (await modern(url(), 'prompts/list')).json()) as Answer;
      expect(prompts.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    });
  });

  it('server.instructions reaches the client', async () => {
    const server = { ...OPEN.server, title: 'T', instructions: 'Be kind.' };
    await serving({ server }, async ({ url }) => {
      const { result } = await call(url(), 'initialize', INITIALIZE);
      expect(result).toMatchObject({ instructions: 'Be kind.', serverInfo: { title: 'T' } });
      expect(result?.['serverInfo']).not.toHaveProperty('instructions');
    });
  });

  it('sessions bounds the sessions in memory', async () => {
    await serving({ sessions: { max: 1 } }, async ({ url }) => {
      const [first, second] = [await openSession(url()), await openSession(url())];
      const ping = (id: string | null): Promise<Response> =>
        post(url(), legacy('ping'), { 'mcp-session-id': id ?? '' });
      expect((await ping(first)).status).toBe(404);
      expect((await ping(second)).status).toBe(200);
      expect((await fetch(url(), { method: 'PUT' })).headers.get('allow')).toBe('POST, GET, DELETE');
    });
  });

  it('sessions.ids makes ids of the host', async () => {
    const ended: string[] = [];
    let count = 0;
    const ids = { generate: () => `s-${(count += 1)}`, terminate: (id: string) => void ended.push(id) };
    await serving({ sessions: { ids } }, async ({ url }) => {
      expect(await openSession(url())).toBe('s-1');
      const headers = { ...JSON_HEADERS, 'mcp-session-id': 's-1' };
      expect((await fetch(url(), { method: 'DELETE', headers })).status).toBeLessThan(300);
      expect(ended).toEqual(['s-1']);
    });
  });

  it('questionTimeoutMs ends a question that nobody answers', async () => {
    await serving({ sessions: {}, questionTimeoutMs: 50 }, async ({ url }) => {
      const session = await openSession(url());
      const text = await (
        await post(url(), legacy('tools/call', { name: 'ask' }), { 'mcp-session-id': session ?? '' })
      ).text();
      expect(text).toContain('elicitation/create');
      expect(text).toContain('timeout');
    });
  });

  it('stateKeys lets another instance open what one sealed, nonces that it was used once', async () => {
    const spent = new Set<string>();
    const nonces = {
      spend: (id: string) => !spent.has(id) && spent.add(id).has(id),
      isSpent: (id: string) => spent.has(id),
    };
    const options = { stateKeys: ['k'.repeat(32)], nonces };
    const elicitation = { elicitation: { form: {} } };
    type Asked = { result: { requestState?: string; inputRequests: Record<string, unknown> } };
    const asked = await serving(options, async ({ url }) => {
      return (await (await modern(url(), 'tools/call', { name: 'ask' }, elicitation)).json()) as Asked;
    });
    const { requestState, inputRequests } = asked.result;
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map((key) => [key, { action: 'accept', content: { ok: true } }]),
    );
    const replay = { name: 'ask', requestState, inputResponses };
    await serving(options, async ({ url }) => {
      const answer = async (): Promise<string> => (await modern(url(), 'tools/call', replay, elicitation)).text();
      expect(await answer()).toContain('accept');
      expect(spent.size).toBe(1);
      expect(await answer()).toContain('error');
    });
    await serving({}, async ({ url }) => {
      expect(await (await modern(url(), 'tools/call', replay, elicitation)).text()).toContain('error');
    });
  });

  it('bus carries changes to the streams of other instances', async () => {
    const listeners = new Set<ChangeListener>();
    const bus: ChangeBus = {
      publish: (change) => listeners.forEach((listener) => listener(change)),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    await serving({ bus }, async ({ url }) => {
      const stream = await modern(url(), 'subscriptions/listen', { notifications: { toolsListChanged: true } });
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value).toContain('acknowledged');
      await serving({ bus }, async ({ app }) => app.get(McpNotifier).toolsChanged());
      expect((await reader?.read())?.value).toContain('notifications/tools/list_changed');
      await reader?.cancel();
    });
  });

  it('tasks bounds how long they are kept', async () => {
    const tasks = { ttlMs: 1_000, maxTtlMs: 2_000, pollIntervalMs: 123 };
    await serving({ sessions: {}, tasks }, async ({ url }) => {
      const opened = await post(url(), legacy('initialize', { ...INITIALIZE, protocolVersion: '2025-11-25' }), {
        'mcp-protocol-version': '2025-11-25',
      });
      const headers = {
        'mcp-protocol-version': '2025-11-25',
        'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
      };
      const begin = async (task: object): Promise<unknown> =>
        (await call(url(), 'tools/call', { name: 'work', task }, headers)).result?.['task'];
      expect(await begin({})).toMatchObject({ ttl: 1_000, pollInterval: 123 });
      expect(await begin({ ttl: 5_000 })).toMatchObject({ ttl: 2_000 });
    });
  });
});

describe('the log', () => {
  function recording(): LoggerService & { readonly lines: string[] } {
    const lines: string[] = [];
    const write = (...parts: unknown[]): void => void lines.push(parts.map(String).join(' '));
    return { lines, log: write, error: write, warn: write, debug: write };
  }

  it('has the reasons that callers do not see, and warns of keys that no other instance has', async () => {
    const logger = recording();
    const guard: CanActivate = {
      canActivate: () => {
        throw new Error('the directory is down');
      },
    };
    const { app, url } = await start('express', hostModule({ options: { guards: [guard] } }), { logger });
    await post(url(), legacy('ping'), { authorization: 'Bearer hunter2' });
    await post(url(), legacy('ping'), { origin: 'https://evil.example' });
    await app.close();
    const text = logger.lines.join('\n');
    expect(text).toContain('the directory is down');
    expect(text).toContain('allowedOrigins');
    expect(text).toContain('option "stateKeys" is not set');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('evil.example');
  });
});
