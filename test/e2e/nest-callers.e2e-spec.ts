import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Injectable, type CanActivate, type ExecutionContext, type LoggerService } from '@nestjs/common';
import {
  allow,
  McpTool,
  McpUnauthorized,
  type McpCallEvent,
  type McpCatalogEntry,
  type McpContext,
  type McpModuleOptions,
} from 'nestjs-mcp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, JSON_HEADERS, legacy, modern, PLATFORMS, post, start, type Running } from './nest-app.js';
import { hostModule } from './nest-fixture.js';

interface Caller {
  readonly sub: string;
  readonly sees: readonly string[];
}

const CALLERS: Readonly<Record<string, Caller>> = {
  alice: { sub: 'alice', sees: ['search', 'who'] },
  admin: { sub: 'admin', sees: ['wipe', 'who'] },
};

/** The token is the caller's name. */
@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const incoming = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: unknown }>();
    const caller = CALLERS[(incoming.headers['authorization'] ?? '').replace(/^Bearer /, '')];
    if (caller === undefined) throw new McpUnauthorized('Bearer realm="store"', 'no such token');
    incoming.user = caller;
    return true;
  }
}

@Injectable()
class Store {
  readonly runs: string[] = [];

  @McpTool()
  search(): string {
    this.runs.push('search');
    return 'found';
  }

  @McpTool()
  wipe(): string {
    this.runs.push('wipe');
    return 'wiped';
  }

  @McpTool({ input: { type: 'object', properties: { text: { type: 'string' } } } })
  async who({ text: said = '' }: { text?: string }, context: McpContext): Promise<string> {
    context.progress(1);
    await new Promise((resolve) => setTimeout(resolve, Number(said) % 7));
    return `${(context.identity as Caller).sub}: ${said}`;
  }
}

const as = (caller: string): Record<string, string> => ({ authorization: `Bearer ${caller}` });

class Lines implements LoggerService {
  readonly lines: string[] = [];
  readonly log = this.#write.bind(this);
  readonly error = this.#write.bind(this);
  readonly warn = this.#write.bind(this);

  #write(...parts: unknown[]): void {
    this.lines.push(parts.map(String).join(' '));
  }
}

/** Posts over one of the agent's connections; answers with the whole body. */
function postOver(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const posting = request(url, { agent, method: 'POST', headers }, (response) => {
      text(response).then(resolve, reject);
    });
    posting.once('error', reject).end(body);
  });
}

describe.each(PLATFORMS)('callers on %s', (platform) => {
  const logger = new Lines();
  const seen: unknown[] = [];
  const events: McpCallEvent[] = [];
  let running: Running;

  const options: Partial<McpModuleOptions> = {
    guards: [TokenGuard],
    visibility: ({ key }: McpCatalogEntry, { identity }: McpContext) => {
      seen.push(identity);
      return (identity as Caller).sees.includes(key);
    },
    gate: ({ identity }) => {
      seen.push(identity);
      return allow;
    },
    observers: [{ onCall: (event) => void events.push(event) }],
  };

  beforeAll(async () => {
    running = await start(platform, hostModule({ options, providers: [Store, TokenGuard] }), { logger });
  });
  afterAll(() => running.app.close());

  it('without a token are challenged alike, whatever the method', async () => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const response = await fetch(running.url(), { method, ...(method === 'POST' ? { body: '{not JSON' } : {}) });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="store"']);
      expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Unauthorized"}}');
    }
  });

  it('list and call what they see; what they do not see is not run, and is unknown to the byte', async () => {
    const { runs } = running.app.get(Store);
    runs.length = 0;
    const names = async (caller: string): Promise<unknown> => {
      const response = await post(running.url(), legacy('tools/list'), as(caller));
      return ((await response.json()) as { result: { tools: { name: string }[] } }).result.tools.map(
        ({ name }) => name,
      );
    };
    expect(await names('alice')).toEqual(['search', 'who']);
    expect(await names('admin')).toEqual(['who', 'wipe']);
    const answers = ['wipe', 'nope'].map(async (name) =>
      (await post(running.url(), legacy('tools/call', { name }), as('alice'))).text(),
    );
    const [hidden = '', unknown = ''] = await Promise.all(answers);
    expect(hidden).toContain('-32602');
    expect(hidden.replaceAll('wipe', 'nope')).toBe(unknown);
    expect(await callTool(running.url(), 'wipe', {}, as('admin'))).toBe('wiped');
    expect(runs).toEqual(['wipe']);
  });

  it('are one and the same object to visibility, gate, method and observer', async () => {
    seen.length = events.length = 0;
    expect(await callTool(running.url(), 'who', { text: '1' }, as('alice'))).toBe('alice: 1');
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.length).toBeGreaterThan(1);
    expect([...seen, ...events.map(({ identity }) => identity)].every((each) => each === CALLERS['alice'])).toBe(true);
    expect(events).toHaveLength(1);
  });

  it('that share connections hear nothing of each other: 400 interleaved requests without sessions', async () => {
    logger.lines.length = 0;
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const callers = ['alice', 'admin'];
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, number) => {
        const caller = callers[number % 2] ?? '';
        const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2025-06-18', ...as(caller) };
        // The ids of the two callers' requests are the same; some have a stream, some list, some are refused.
        const kind = (number % 10) >> 1;
        const body =
          kind === 0
            ? legacy('tools/list', {}, number >> 1)
            : kind === 1
              ? legacy('tools/call', { name: 'wipe' }, number >> 1)
              : legacy(
                  'tools/call',
                  {
                    name: 'who',
                    arguments: { text: `${number}` },
                    ...(kind === 2 ? { _meta: { progressToken: number >> 1 } } : {}),
                  },
                  number >> 1,
                );
        return postOver(agent, running.url(), headers, body);
      }),
    );
    agent.destroy();
    answers.forEach((answer, number) => {
      const [own = '', other = ''] = number % 2 === 0 ? callers : callers.toReversed();
      const kind = (number % 10) >> 1;
      expect(answer).toContain(`"id":${number >> 1}`);
      if (kind === 0) expect(answer.includes('"wipe"')).toBe(own === 'admin');
      else if (kind === 1) expect(answer.includes('-32602')).toBe(own === 'alice');
      else expect(answer).toContain(`"${own}: ${number}"`);
      expect(answer).not.toContain(`"${other}: `);
    });
    expect(logger.lines).toEqual([]);
  });

  it('that send a session id where there are none are answered as if they had not', async () => {
    const id = { 'mcp-session-id': 'anything' };
    for (const body of [legacy('tools/list'), legacy('tools/call', { name: 'search' }), legacy('ping')]) {
      const [bare, named] = await Promise.all([
        post(running.url(), body, as('alice')),
        post(running.url(), body, { ...as('alice'), ...id }),
      ]);
      expect(await named.text()).toBe(await bare.text());
      expect(named.status).toBe(200);
      expect(named.headers.has('mcp-session-id')).toBe(false);
    }
  });

  it('are quoted in no line of the log, whatever is wrong with what they send', async () => {
    logger.lines.length = 0;
    const marker = 'PLANTED';
    const url = running.url();
    const known = { ...as('alice'), 'x-marker': marker, cookie: `a=${marker}` };
    const sent: [string, Record<string, string>][] = [
      [legacy('ping'), as(marker)],
      [legacy('ping'), { ...known, origin: `https://${marker}.example` }],
      [legacy('ping'), { ...known, 'content-type': `text/${marker}` }],
      [legacy('ping'), { ...known, 'mcp-protocol-version': marker }],
      [`{not json ${marker}`, known],
      [`{"${marker}":1,"${marker}":2}`, known],
      [JSON.stringify({ jsonrpc: '2.0', id: { marker }, method: 'ping' }), known],
      [legacy(marker), known],
      [legacy('tools/call', { name: marker }), known],
      [legacy('tools/call', { name: 'who', arguments: { text: [marker], [marker]: 1 } }), known],
      [legacy('resources/read', { uri: `x://${marker}` }), known],
      [legacy('tools/list', { cursor: marker }), known],
    ];
    for (const [body, headers] of sent) {
      const response = await post(url, body, headers);
      expect([response.status < 500, await response.text()]).toEqual([true, expect.stringMatching(/^\{"jsonrpc"/)]);
    }
    await modern(url, 'tools/call', { name: marker, _meta: { [marker]: marker } });
    expect(logger.lines.join('\n')).not.toContain(marker);
    expect(logger.lines.length).toBeGreaterThan(0);
  });
});
