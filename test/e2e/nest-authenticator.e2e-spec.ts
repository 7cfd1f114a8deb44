import {
  ForbiddenException,
  HttpException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
  type LoggerService,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  allow,
  McpAuthenticator,
  McpForbidden,
  McpIdentity,
  McpTool,
  McpUnauthorized,
  type Gate,
  type McpCallEvent,
  type McpCatalogSource,
  type McpContext,
} from 'nestjs-mcp';
import { describe, expect, it } from 'vitest';
import { callTool, exchange, legacy, PLATFORMS, post, start, type Platform, type Running } from './nest-app.js';
import { hostModule, type HostParts } from './nest-fixture.js';

interface Request {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const ALICE = Object.freeze({ sub: 'alice' });
const CHALLENGE = 'Bearer realm="tools", error="invalid_token"';
const AS_ALICE = { authorization: 'Bearer alice' };

@Injectable()
class Tokens {
  readonly callers = new Map([['Bearer alice', ALICE]]);
}

@Injectable()
class TokenAuthenticator extends McpAuthenticator<typeof ALICE> {
  constructor(private readonly tokens: Tokens) {
    super();
  }

  authenticate({ headers }: Request): typeof ALICE | undefined {
    return this.tokens.callers.get(headers['authorization'] ?? '');
  }

  override challenge(): string {
    return CHALLENGE;
  }
}

@Injectable()
class Who {
  @McpTool()
  who(_args: object, { identity, identityKey }: McpContext): unknown {
    return { identity, identityKey };
  }

  @McpTool()
  me(@McpIdentity() identity: unknown): unknown {
    return identity === ALICE;
  }
}

class Lines implements LoggerService {
  readonly all: string[] = [];
  readonly log = (...line: unknown[]): void => void this.all.push(line.map(String).join(' '));
  readonly error = this.log;
  readonly warn = this.log;
  readonly debug = this.log;
  readonly verbose = this.log;
}

async function serving<T>(
  platform: Platform,
  parts: HostParts,
  check: (running: Running, lines: readonly string[]) => Promise<T>,
): Promise<T> {
  const logger = new Lines();
  const running = await start(platform, hostModule({ ...parts, providers: [Who, ...(parts.providers ?? [])] }), {
    logger,
  });
  try {
    return await check(running, logger.all);
  } finally {
    await running.app.close();
  }
}

const TOKENS: HostParts = { options: { guards: [TokenAuthenticator] }, providers: [Tokens] };

/** An authenticator of one answer. */
function answering(authenticate: () => unknown, challenge?: (request: object, error: unknown) => string) {
  return new (class extends McpAuthenticator {
    authenticate(): unknown {
      return authenticate();
    }

    override challenge(request: object, error: unknown): string | undefined {
      return challenge?.(request, error);
    }
  })();
}

function throwing(error: unknown, challenge?: (request: object, error: unknown) => string): McpAuthenticator {
  return answering(() => {
    throw error;
  }, challenge);
}

describe.each(PLATFORMS)('on %s, an authenticator', (platform) => {
  it('lets in whom it knows: hooks and handlers get the very identity', async () => {
    await serving(platform, TOKENS, async ({ url }) => {
      expect(JSON.parse(await callTool(url(), 'who', {}, AS_ALICE))).toEqual({ identity: ALICE, identityKey: 'alice' });
      expect(await callTool(url(), 'me', {}, AS_ALICE)).toBe('true');
    });
  });

  it.each(['POST', 'GET', 'DELETE'])(
    'answers a %s of anybody else with 401 and exactly its challenge',
    async (method) => {
      await serving(platform, { ...TOKENS, options: { ...TOKENS.options, sessions: {} } }, async ({ url, port }) => {
        const response = await fetch(url(), { method, ...(method === 'POST' ? { body: '{not json' } : {}) });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe(CHALLENGE);
        expect(response.headers.get('connection')).toBe('close');
        expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Unauthorized"}}');
        const head = `${method} /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
        // The body never comes: who needs it would wait.
        const { text, closed } = await exchange(port, `${head}Content-Length: 1000000\r\n\r\n{`, 1_500);
        expect(text).toMatch(/^HTTP\/1\.1 401 /);
        expect(closed).toBe(true);
      });
    },
  );

  it.each<[string, McpAuthenticator, number, string | null]>([
    ['finds nobody', answering(() => undefined), 401, 'Bearer'],
    ['answers null', answering(() => null), 401, 'Bearer'],
    ['answers false', answering(() => Promise.resolve(false)), 401, 'Bearer'],
    ['throws', throwing(new Error('s3cret')), 401, 'Bearer'],
    ['throws no error', throwing({ bearer: 's3cret' }), 401, 'Bearer'],
    ['throws UnauthorizedException', throwing(new UnauthorizedException('s3cret'), () => 'Own'), 401, 'Own'],
    ['throws McpUnauthorized', throwing(new McpUnauthorized('DPoP', 's3cret'), () => 'Own'), 401, 'DPoP'],
    ['throws McpForbidden', throwing(new McpForbidden(undefined, 's3cret'), () => 'Own'), 403, null],
    ['throws ForbiddenException', throwing(new ForbiddenException('s3cret'), () => 'Own'), 403, null],
    ['throws another status', throwing(new HttpException('s3cret', 429)), 429, null],
    ['throws a 5xx', throwing(new HttpException('s3cret', 503)), 500, null],
    [
      'has a challenge that no header can hold',
      answering(
        () => undefined,
        () => 'a\r\nb: c',
      ),
      401,
      'Bearer',
    ],
    [
      'has a challenge that fails',
      answering(
        () => undefined,
        () => {
          throw new Error('s3cret');
        },
      ),
      401,
      'Bearer',
    ],
  ])('which %s refuses, opaquely', async (_what, authenticator, status, challenge) => {
    await serving(platform, { options: { guards: [authenticator] } }, async ({ url }) => {
      const response = await post(url(), legacy('tools/call', { name: 'who' }));
      expect(response.status).toBe(status);
      expect(response.headers.get('www-authenticate')).toBe(challenge);
      expect(await response.text()).not.toContain('s3cret');
    });
  });

  it('tells the reason to its challenge and to the log, and what is no error to nobody', async () => {
    const reasons: unknown[] = [];
    const challenge = (_request: object, error: unknown): string => {
      reasons.push(error instanceof Error ? error.message : error);
      return 'Bearer';
    };
    await serving(
      platform,
      { options: { guards: [throwing(new Error('expired'), challenge)] } },
      async ({ url }, lines) => {
        await post(url(), legacy('ping'));
        expect(reasons).toEqual(['expired']);
        expect(lines.filter((line) => line.includes('expired'))).toHaveLength(1);
      },
    );
    await serving(platform, { options: { guards: [throwing({ bearer: 's3cret' })] } }, async ({ url }, lines) => {
      await post(url(), legacy('ping'));
      expect(lines.filter((line) => line.includes('401'))).toHaveLength(1);
      expect(lines.join()).not.toContain('s3cret');
    });
  });

  it('works beside a user of the application, whom it neither reads nor replaces', async () => {
    const passport: CanActivate = {
      canActivate: (context) => {
        context.switchToHttp().getRequest<{ user?: unknown }>().user = { sub: 'web-user' };
        return true;
      },
    };
    const users: unknown[] = [];
    const looking: CanActivate = {
      canActivate: (context) => users.push(context.switchToHttp().getRequest<{ user?: unknown }>().user) > 0,
    };
    const options = { guards: [passport, TokenAuthenticator, looking] };
    await serving(platform, { options, providers: [Tokens] }, async ({ url }) => {
      expect(await callTool(url(), 'me', {}, AS_ALICE)).toBe('true');
      expect(users).toEqual([{ sub: 'web-user' }]);
    });
  });

  it('may be a global guard: asked once a request, at the endpoint', async () => {
    let asked = 0;
    const authenticator = answering(() => {
      asked += 1;
      return ALICE;
    });
    const providers = [{ provide: APP_GUARD, useValue: authenticator }];
    await serving(platform, { options: { guards: 'none' }, providers }, async ({ url }) => {
      expect(await callTool(url(), 'me')).toBe('true');
      expect(asked).toBe(1);
    });
  });

  it('gives every hook of a call the same identity', async () => {
    const seen: unknown[] = [];
    const gate: Gate = ({ identity }) => {
      seen.push(identity);
      return allow;
    };
    const source: McpCatalogSource = {
      entries: ({ identity }) => {
        seen.push(identity);
        return [{ kind: 'tool', name: 'own', handler: (_args, context) => seen.push(context.identity) }];
      },
    };
    const options: HostParts['options'] = {
      guards: [TokenAuthenticator],
      gate,
      sources: [source],
      observers: [{ onCall: (event: McpCallEvent) => void seen.push(event.identity) }],
      visibility: (_entry, { identity }) => seen.push(identity) > 0,
    };
    await serving(platform, { options, providers: [Tokens] }, async ({ url }) => {
      await callTool(url(), 'own', {}, AS_ALICE);
      expect(seen).toHaveLength(5);
      expect(seen.every((identity) => identity === ALICE)).toBe(true);
    });
  });
});

describe.each(PLATFORMS)('on %s, a guard of the options', (platform) => {
  const guard = (canActivate: (context: ExecutionContext) => unknown): CanActivate => ({ canActivate }) as CanActivate;

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['the description of a fault', { error: 's3cret' }],
    ['a promise of one', Promise.resolve({ error: 's3cret' })],
    ['a text', 'ok'],
  ])('that answers with %s refuses, and the log says what it must answer', async (_what, verdict) => {
    await serving(platform, { options: { guards: [guard(() => verdict)] } }, async ({ url }, lines) => {
      const response = await post(url(), legacy('ping'));
      expect(response.status).toBe(403);
      expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Forbidden"}}');
      expect(lines.filter((line) => line.includes('must answer with true or false'))).toHaveLength(1);
      expect(lines.join()).not.toContain('s3cret');
    });
  });

  it('that throws something with a status of its own, yet no HttpException, is a failure', async () => {
    const failing = guard(() => {
      throw Object.assign(new Error('s3cret'), { status: 400 });
    });
    await serving(platform, { options: { guards: [failing] } }, async ({ url }) => {
      const response = await post(url(), legacy('ping'));
      expect(response.status).toBe(500);
      expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}');
    });
  });
});
