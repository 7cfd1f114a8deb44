import { Injectable, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { McpAuthenticator, McpExecutionContext, McpModule, McpTool, type McpModuleOptions } from 'nestjs-mcp';
import { describe, expect, it } from 'vitest';
import { callTool, legacy, PLATFORMS, post, start, type Platform, type Running } from './nest-app.js';
import { hostModule } from './nest-fixture.js';

const TTL = 60_000;
const TOO_MANY = 'ThrottlerException: Too Many Requests';

@Injectable()
class Costly {
  @McpTool()
  @Throttle({ default: { limit: 2, ttl: TTL } })
  costly(): string {
    return 'ran';
  }

  @McpTool()
  @SkipThrottle()
  free(): string {
    return 'ran';
  }
}

class Named extends McpAuthenticator<string> {
  authenticate({ headers }: { readonly headers: Record<string, string | undefined> }): string {
    return headers['x-caller'] ?? 'somebody';
  }
}

const entries = ['one', 'two'].map((name) => ({ kind: 'tool', name, handler: () => 'ran' }) as const);

/** An application whose throttler lets `limit` requests pass at each of its counts. */
async function throttled<T>(
  platform: Platform,
  limit: number,
  check: (running: Running) => Promise<T>,
  {
    options = {},
    tracker,
  }: {
    readonly options?: Partial<McpModuleOptions>;
    readonly tracker?: (request: object, context: ExecutionContext) => string;
  } = {},
): Promise<T> {
  const throttlers = [{ ttl: TTL, limit }];
  const module = hostModule({
    options,
    imports: [
      ThrottlerModule.forRoot({ throttlers, ...(tracker === undefined ? {} : { getTracker: tracker }) }),
      McpModule.forFeature(entries),
    ],
    providers: [Costly, { provide: APP_GUARD, useClass: ThrottlerGuard }],
  });
  const running = await start(platform, module);
  try {
    return await check(running);
  } finally {
    await running.app.close();
  }
}

describe.each(PLATFORMS)('a global throttler on %s', (platform) => {
  it('counts requests to the endpoint, whatever is in them, and answers 429 with Retry-After', async () => {
    await throttled(platform, 3, async ({ url }) => {
      const bodies = [legacy('ping'), legacy('tools/list'), '{not json', legacy('ping')];
      const responses: Response[] = [];
      for (const body of bodies) responses.push(await post(url(), body));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 400, 429]);
      const refused = responses.at(-1);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused?.headers.get('connection')).toBe('close');
      expect(await refused?.text()).toBe(
        '{"jsonrpc":"2.0","error":{"code":-32600,"message":"The request was refused"}}',
      );
      expect((await post(url('/plain'), '{}')).status).toBe(201);
    });
  });

  it('counts each tool by itself, by the limits written on it', async () => {
    await throttled(platform, 100, async ({ url }) => {
      const texts: string[] = [];
      for (let round = 0; round < 3; round += 1) texts.push(await callTool(url(), 'costly'));
      expect(texts).toEqual(['ran', 'ran', TOO_MANY]);
      expect(await callTool(url(), 'free')).toBe('ran');
      const response = await post(url(), legacy('tools/call', { name: 'costly' }));
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ result: { isError: true } });
    });
  });

  it('tells entries that are no methods apart', async () => {
    // The fourth call is the first of its tool.
    const limitOfTools = (_request: object, context: ExecutionContext): string =>
      context.getType<string>() === 'mcp' ? 'anybody' : String(Math.random());
    await throttled(
      platform,
      3,
      async ({ url }) => {
        const texts: string[] = [];
        for (const name of ['one', 'one', 'one', 'two', 'one']) texts.push(await callTool(url(), name));
        expect(texts).toEqual(['ran', 'ran', 'ran', 'ran', TOO_MANY]);
      },
      { tracker: limitOfTools },
    );
  });

  it('counts a call once with globalGuards: endpoint', async () => {
    await throttled(
      platform,
      4,
      async ({ url }) => {
        for (let round = 0; round < 4; round += 1) expect(await callTool(url(), 'costly')).toBe('ran');
        expect((await post(url(), legacy('ping'))).status).toBe(429);
      },
      { options: { globalGuards: 'endpoint' } },
    );
  });

  it('may count callers: they are known at a tool', async () => {
    const tracker = (_request: object, context: ExecutionContext): string =>
      context.getType<string>() === 'mcp'
        ? (McpExecutionContext.create(context).getContext().identityKey ?? 'nobody')
        : String(Math.random());
    await throttled(
      platform,
      100,
      async ({ url }) => {
        const as = (caller: string): Promise<string> => callTool(url(), 'costly', {}, { 'x-caller': caller });
        const texts: string[] = [];
        for (const caller of ['alice', 'alice', 'bob', 'alice', 'bob']) texts.push(await as(caller));
        expect(texts).toEqual(['ran', 'ran', 'ran', TOO_MANY, 'ran']);
      },
      { options: { guards: [new Named()] }, tracker },
    );
  });
});
