import {
  Controller,
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  Module,
  Scope,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, REQUEST, Reflector } from '@nestjs/core';
import { McpExecutionContext, McpForbidden, McpModule, McpTool, McpUnauthorized, type McpContext } from 'nestjs-mcp';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  callTool,
  exchange,
  legacy,
  PLATFORMS,
  post,
  start,
  type Answer,
  type Platform,
  type Running,
} from './nest-app.js';
import { Echo, hostModule, OPEN, Plain, type HostParts } from './nest-fixture.js';

interface Headers {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

async function serving<T>(
  platform: Platform,
  parts: HostParts | Type,
  check: (running: Running) => Promise<T>,
): Promise<T> {
  const running = await start(platform, typeof parts === 'function' ? parts : hostModule(parts));
  try {
    return await check(running);
  } finally {
    await running.app.close();
  }
}

function throwing(error: unknown): CanActivate {
  return {
    canActivate: () => {
      throw error;
    },
  };
}

@Injectable()
class Tokens {
  readonly valid = 'let-me-in';
}

@Injectable()
class TokenGuard implements CanActivate {
  constructor(private readonly tokens: Tokens) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Headers & { user?: unknown }>();
    if (request.headers['authorization'] !== `Bearer ${this.tokens.valid}`)
      throw new McpUnauthorized('Bearer realm="t"');
    request.user = { sub: 'ada' };
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  constructor(
    @Inject(REQUEST) private readonly request: Headers,
    private readonly tokens: Tokens,
  ) {}

  canActivate(): boolean {
    return this.request.headers['authorization'] === `Bearer ${this.tokens.valid}`;
  }
}

const AUTHORIZED = { authorization: 'Bearer let-me-in' };

describe.each(PLATFORMS)('on %s, the guards of the options', (platform) => {
  it.each<[string, HostParts]>([
    ['provided', { options: { guards: [TokenGuard] }, providers: [Tokens, TokenGuard] }],
    ['provided nowhere', { options: { guards: [TokenGuard] }, providers: [Tokens] }],
    ['an instance', { options: { guards: [new TokenGuard(new Tokens())] } }],
  ])('let in whom they allow, and challenge others, when %s', async (_how, parts) => {
    await serving(platform, parts, async ({ url }) => {
      expect(await callTool(url(), 'echo', { text: 'hi' }, AUTHORIZED)).toBe('hi');
      const refused = await post(url(), legacy('ping'));
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="t"');
      expect(refused.headers.get('connection')).toBe('close');
      expect(await refused.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Unauthorized"}}');
    });
  });

  it('may be request-scoped', async () => {
    const parts = { options: { guards: [ScopedGuard] }, providers: [Tokens, ScopedGuard] };
    await serving(platform, parts, async ({ url }) => {
      const [allowed, refused] = await Promise.all([
        post(url(), legacy('ping'), AUTHORIZED),
        post(url(), legacy('ping')),
      ]);
      expect([allowed.status, refused.status]).toEqual([200, 403]);
    });
  });

  it('are created with what the imports beside the options export', async () => {
    @Module({ providers: [Tokens], exports: [Tokens] })
    class TokensModule {}
    @Module({
      imports: [McpModule.forRoot({ ...OPEN, guards: [TokenGuard], imports: [TokensModule] })],
      providers: [Echo],
    })
    class Host {}
    await serving(platform, Host, async ({ url }) => {
      expect(await callTool(url(), 'echo', { text: 'hi' }, AUTHORIZED)).toBe('hi');
    });
  });

  it('run in order and stop at the first refusal', async () => {
    const ran: string[] = [];
    const guard = (name: string, verdict: boolean): CanActivate => ({
      canActivate: () => {
        ran.push(name);
        return verdict;
      },
    });
    const guards = [guard('first', true), guard('second', false), guard('third', true)];
    await serving(platform, { options: { guards } }, async ({ url }) => {
      expect((await post(url(), legacy('ping'))).status).toBe(403);
      expect(ran).toEqual(['first', 'second']);
    });
  });

  it.each<[string, CanActivate, number, string | null]>([
    ['returns false', { canActivate: () => false }, 403, null],
    ['promises false', { canActivate: () => Promise.resolve(false) }, 403, null],
    ['observes false', { canActivate: () => of(true, false) }, 403, null],
    ['throws UnauthorizedException', throwing(new UnauthorizedException('why')), 401, 'Bearer'],
    ['throws McpUnauthorized', throwing(new McpUnauthorized('DPoP algs="ES256"', 'why')), 401, 'DPoP algs="ES256"'],
    ['throws an unusable challenge', throwing(new McpUnauthorized('Bearer\r\nx: y', 'why')), 401, 'Bearer'],
    ['throws ForbiddenException', throwing(new ForbiddenException('why')), 403, null],
    ['throws McpForbidden', throwing(new McpForbidden('Bearer scope="a"', 'why')), 403, 'Bearer scope="a"'],
    ['throws another 4xx', throwing(new HttpException('why', 429)), 429, null],
  ])('refuse opaquely when one %s', async (_how, guard, status, challenge) => {
    await serving(platform, { options: { guards: [guard] } }, async ({ url }) => {
      const response = await post(url(), legacy('ping'));
      const body = await response.text();
      expect(response.status).toBe(status);
      expect(response.headers.get('www-authenticate')).toBe(challenge);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect((JSON.parse(body) as Answer).error?.code).toBe(-32600);
      expect(body).not.toContain('why');
    });
  });

  it.each<[string, unknown]>([
    ['an error', new Error('secret')],
    ['a 5xx', new HttpException('secret', 503)],
    ['no error at all', 'secret'],
  ])('fail opaquely when one throws %s', async (_what, error) => {
    await serving(platform, { options: { guards: [throwing(error)] } }, async ({ url }) => {
      const response = await post(url(), legacy('ping'));
      expect(response.status).toBe(500);
      expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}');
    });
  });

  it('refuse before the body is read: a withheld body gets its 401 at once, and the connection ends', async () => {
    const parts = { options: { guards: [TokenGuard] }, providers: [Tokens] };
    await serving(platform, parts, async ({ port }) => {
      const began = performance.now();
      const { text, closed } = await exchange(
        port,
        'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"a":',
        1_500,
      );
      expect(text).toMatch(/^HTTP\/1\.1 401 /);
      expect(text.toLowerCase()).toContain('connection: close');
      expect(closed).toBe(true);
      expect(performance.now() - began).toBeLessThan(8_000);
    });
  });

  it('are asked before the method is judged', async () => {
    const parts = { options: { guards: [TokenGuard] }, providers: [Tokens] };
    await serving(platform, parts, async ({ url }) => {
      expect((await fetch(url())).status).toBe(401);
      expect((await fetch(url(), { headers: AUTHORIZED })).status).toBe(405);
    });
  });

  it('leave the identity on the request, where handlers find it', async () => {
    @Injectable()
    class Who {
      @McpTool()
      who(_args: object, context: McpContext): unknown {
        return { identity: context.identity, key: context.identityKey };
      }
    }
    const parts = { options: { guards: [TokenGuard] }, providers: [Tokens, Who] };
    await serving(platform, parts, async ({ url }) => {
      expect(await callTool(url(), 'who', {}, AUTHORIZED)).toBe('{"identity":{"sub":"ada"},"key":"ada"}');
    });
  });

  it('of other routes are not concerned', async () => {
    const parts = { options: { guards: [TokenGuard] }, providers: [Tokens] };
    await serving(platform, parts, async ({ url }) => {
      expect((await post(url('/plain'), '{}')).status).toBe(201);
    });
  });
});

const Roles = (...roles: string[]): ReturnType<typeof SetMetadata> => SetMetadata('roles', roles);

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[] | undefined>('roles', [
      context.getHandler(),
      context.getClass(),
    ]);
    const { headers } = context.switchToHttp().getRequest<Headers>();
    return roles === undefined || roles.includes(headers['x-role'] ?? '');
  }
}

@Injectable()
class Ranked {
  @Roles('admin')
  @McpTool()
  wipe(): string {
    return 'wiped';
  }

  @McpTool()
  look(): string {
    return 'seen';
  }
}

@Roles('operator')
@Controller('operations')
class Operations {
  @McpTool()
  operate(): string {
    return 'operated';
  }
}

describe.each(PLATFORMS)('on %s, global guards', (platform) => {
  it.each(['APP_GUARD', 'useGlobalGuards'])('which deny everything deny the endpoint: %s', async (how) => {
    const deny: CanActivate = { canActivate: () => false };
    const parts = how === 'APP_GUARD' ? { providers: [{ provide: APP_GUARD, useValue: deny }] } : {};
    const running = await start(platform, hostModule(parts), {
      configure: (app) => (how === 'APP_GUARD' ? undefined : app.useGlobalGuards(deny)),
    });
    try {
      const response = await post(running.url(), legacy('tools/call', { name: 'echo', arguments: { text: 'x' } }));
      expect(response.status).toBe(403);
      expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Forbidden"}}');
    } finally {
      await running.app.close();
    }
  });

  it('which deny every handler deny tools, decorated and programmatic', async () => {
    const deny: CanActivate = { canActivate: (context) => context.getType<string>() !== 'mcp' };
    const entries = [{ kind: 'tool', name: 'plain', handler: () => 'ran' }] as const;
    const parts = {
      providers: [{ provide: APP_GUARD, useValue: deny }],
      imports: [McpModule.forFeature(entries)],
    };
    await serving(platform, parts, async ({ url }) => {
      expect((await post(url(), legacy('tools/list'))).status).toBe(200);
      expect(await callTool(url(), 'echo', { text: 'x' })).toBe('Forbidden');
      expect(await callTool(url(), 'plain')).toBe('Forbidden');
    });
  });

  it('which are request-scoped run on decorated and programmatic tools', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class ScopedRoles implements CanActivate {
      constructor(@Inject(REQUEST) private readonly request: Headers) {}

      canActivate(context: ExecutionContext): boolean {
        return context.getType<string>() !== 'mcp' || this.request.headers['x-role'] === 'admin';
      }
    }
    const entries = [{ kind: 'tool', name: 'plain', handler: () => 'ran' }] as const;
    const parts = {
      providers: [{ provide: APP_GUARD, useClass: ScopedRoles }],
      imports: [McpModule.forFeature(entries)],
    };
    await serving(platform, parts, async ({ url }) => {
      expect(await callTool(url(), 'echo', { text: 'x' })).toBe('Forbidden');
      expect(await callTool(url(), 'plain')).toBe('Forbidden');
      expect(await callTool(url(), 'echo', { text: 'x' }, { 'x-role': 'admin' })).toBe('x');
      expect(await callTool(url(), 'plain', {}, { 'x-role': 'admin' })).toBe('ran');
    });
  });

  it('read the metadata of the tool they run for', async () => {
    const parts = {
      providers: [Ranked, { provide: APP_GUARD, useClass: RolesGuard }],
      controllers: [Operations],
    };
    await serving(platform, parts, async ({ url }) => {
      expect(await callTool(url(), 'look')).toBe('seen');
      expect(await callTool(url(), 'wipe')).toBe('Forbidden');
      expect(await callTool(url(), 'wipe', {}, { 'x-role': 'admin' })).toBe('wiped');
      expect(await callTool(url(), 'operate')).toBe('Forbidden');
      expect(await callTool(url(), 'operate', {}, { 'x-role': 'operator' })).toBe('operated');
    });
  });

  it.each<['both' | 'endpoint', string[]]>([
    ['both', ['http', 'mcp']],
    ['endpoint', ['http']],
  ])('run where globalGuards says: %s', async (globalGuards, expected) => {
    for (const tool of ['echo', 'plain']) {
      const types: string[] = [];
      const guard: CanActivate = { canActivate: (context) => types.push(context.getType()) > 0 };
      const entries = [{ kind: 'tool', name: 'plain', handler: () => 'ran' }] as const;
      const parts = {
        options: { globalGuards },
        providers: [{ provide: APP_GUARD, useValue: guard }],
        imports: [McpModule.forFeature(entries)],
      };
      await serving(platform, parts, async ({ url }) => {
        await callTool(url(), tool, tool === 'echo' ? { text: 'x' } : {});
        expect(types).toEqual(expected);
      });
    }
  });

  it('come before the guards of the options', async () => {
    const ran: string[] = [];
    const noting = (name: string): CanActivate => ({ canActivate: () => ran.push(name) > 0 });
    const parts = {
      options: { guards: [noting('named')] },
      providers: [{ provide: APP_GUARD, useValue: noting('global') }],
    };
    await serving(platform, parts, async ({ url }) => {
      await post(url(), legacy('ping'));
      expect(ran).toEqual(['global', 'named']);
    });
  });

  it('learn of a programmatic tool which it is', async () => {
    const seen: unknown[] = [];
    const guard: CanActivate = {
      canActivate: (context) => {
        if (context.getType<string>() !== 'mcp') return true;
        const mcp = McpExecutionContext.create(context);
        seen.push(mcp.getHandlerIdentity(), mcp.getArguments());
        return true;
      },
    };
    const input = { type: 'object', properties: { a: { type: 'integer' } } };
    const entries = [{ kind: 'tool', name: 'plain', input, handler: ({ a }: { a?: number }) => a }] as const;
    const parts = { providers: [{ provide: APP_GUARD, useValue: guard }], imports: [McpModule.forFeature(entries)] };
    await serving(platform, parts, async ({ url }) => {
      expect(await callTool(url(), 'plain', { a: 7 })).toBe('7');
      expect(seen).toEqual([{ kind: 'tool', name: 'plain' }, { a: 7 }]);
    });
  });

  it('still guard the routes of the host', async () => {
    const parts = { providers: [{ provide: APP_GUARD, useValue: throwing(new ForbiddenException()) }] };
    await serving(platform, parts, async ({ url }) => {
      expect((await post(url('/plain'), '{}')).status).toBe(403);
      expect(Plain.name).toBe('Plain');
    });
  });
});
