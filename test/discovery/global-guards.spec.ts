import {
  Controller,
  ForbiddenException,
  Inject,
  Injectable,
  Scope,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_GUARD, Reflector, REQUEST } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import { McpExecutionContext } from '../../src/discovery/mcp-execution-context.js';
import { HandlerRefusal } from '../../src/protocol/errors.js';
import { explore } from './explore.js';
import { TestContext } from './test-context.js';

const DENIED = new HandlerRefusal('guard', 403, 'Forbidden resource');
const as = (role: string): TestContext => new TestContext({ request: { headers: {}, role } });
const Roles = (...roles: string[]): MethodDecorator & ClassDecorator => SetMetadata('roles', roles);

interface RoleRequest {
  readonly role?: string;
}

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[] | undefined>('roles', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (roles === undefined) return true;
    const { role } = context.switchToHttp().getRequest<RoleRequest>();
    return role !== undefined && roles.includes(role);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedRolesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(REQUEST) private readonly request: RoleRequest,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.get<string[] | undefined>('roles', context.getHandler());
    return roles === undefined || roles.includes(this.request.role ?? '');
  }
}

class DenyAll implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Tools {
  @McpTool()
  @Roles('admin')
  secret(): string {
    return 'secret';
  }

  @McpTool()
  open(): string {
    return 'open';
  }
}

@Controller('tools')
class ToolController extends Tools {}

describe('a global guard', () => {
  it('reads the metadata of the tool', async () => {
    const explored = await explore({ providers: [Tools, { provide: APP_GUARD, useClass: RolesGuard }] });
    await expect(explored.call('Tools.secret', {}, as('guest'))).rejects.toEqual(DENIED);
    await expect(explored.call('Tools.secret', {}, as('admin'))).resolves.toBe('secret');
    await expect(explored.call('Tools.open', {}, as('guest'))).resolves.toBe('open');
  });

  it('set by useGlobalGuards runs too', async () => {
    const setup = (app: INestApplication): unknown => app.useGlobalGuards(new DenyAll());
    const explored = await explore({ providers: [Tools] }, { setup });
    await expect(explored.call('Tools.open')).rejects.toEqual(DENIED);
  });

  const hosts: readonly (readonly [string, ModuleMetadata, string])[] = [
    ['a provider', { providers: [Tools] }, 'Tools'],
    ['a controller', { controllers: [ToolController] }, 'ToolController'],
    ['a value', { providers: [{ provide: 'T', useValue: new Tools() }] }, 'Tools'],
    ['what a factory made', { providers: [{ provide: 'T', useFactory: () => new Tools() }] }, 'Tools'],
  ];
  it.each(hosts)('that is request-scoped runs for %s', async (_name, { providers = [], ...metadata }, type) => {
    const explored = await explore({
      ...metadata,
      providers: [...providers, { provide: APP_GUARD, useClass: ScopedRolesGuard, scope: Scope.REQUEST }],
    });
    await expect(explored.call(`${type}.secret`, {}, as('guest'))).rejects.toEqual(DENIED);
    await expect(explored.call(`${type}.secret`, {}, as('admin'))).resolves.toBe('secret');
    await expect(explored.call(`${type}.open`, {}, as('guest'))).resolves.toBe('open');
  });

  it("is left out on handlers with globalGuards: 'endpoint', a guard of the method is not", async () => {
    @Injectable()
    class Guarded {
      @McpTool()
      @UseGuards(DenyAll)
      shut(): string {
        return 'never';
      }

      @McpTool()
      open(): string {
        return 'open';
      }
    }
    const explored = await explore(
      {
        providers: [
          Guarded,
          { provide: APP_GUARD, useClass: DenyAll },
          { provide: APP_GUARD, useClass: ScopedRolesGuard, scope: Scope.REQUEST },
        ],
      },
      { globalGuards: 'endpoint' },
    );
    await expect(explored.call('Guarded.open')).resolves.toBe('open');
    await expect(explored.call('Guarded.shut')).rejects.toEqual(DENIED);
  });

  it('sees what is called, with which arguments, through McpExecutionContext', async () => {
    const seen: unknown[] = [];
    class Spy implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const mcp = McpExecutionContext.create(context);
        seen.push(mcp.getHandlerIdentity(), mcp.getArguments(), mcp.getContext(), mcp.getRequest());
        throw new ForbiddenException('not today');
      }
    }
    const explored = await explore({ providers: [Tools, { provide: APP_GUARD, useClass: Spy }] });
    const context = as('guest');
    await expect(explored.call('Tools.open', { a: 1 }, context)).rejects.toEqual(
      new HandlerRefusal('guard', 403, 'not today'),
    );
    expect(seen).toEqual([{ kind: 'tool', name: 'open' }, { a: 1 }, context, context.request]);
  });

  it('is told by McpExecutionContext when it does not run for a handler', () => {
    const http = { getType: () => 'http', getArgByIndex: () => undefined } as unknown as ExecutionContext;
    expect(() => McpExecutionContext.create(http)).toThrow("check getType() === 'mcp' first");
  });
});
