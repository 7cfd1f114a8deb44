import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  Injectable,
  InternalServerErrorException,
  NotFoundException,
  Scope,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { of, tap, type Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import { McpForbidden, McpUnauthorized } from '../../src/guards/http-refusals.js';
import { HandlerRefusal, McpError, McpNotFound, McpToolError } from '../../src/protocol/errors.js';
import { explore } from './explore.js';
import { TestContext } from './test-context.js';

interface Throwing {
  readonly guard?: Error;
  readonly interceptor?: Error;
  readonly method?: Error;
}

class ThrowingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { guard } = context.switchToHttp().getRequest<Throwing>();
    if (guard !== undefined) throw guard;
    return true;
  }
}

class ThrowingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { interceptor } = context.switchToHttp().getRequest<Throwing>();
    if (interceptor !== undefined) throw interceptor;
    return next.handle().pipe(tap(() => undefined));
  }
}

class Plain {
  @McpTool()
  run(_args: unknown, context: TestContext): string {
    const { method } = context.request as Throwing;
    if (method !== undefined) throw method;
    return 'ran';
  }
}

@Injectable()
class Bare extends Plain {}
@Injectable()
@UseGuards(ThrowingGuard)
class Guarded extends Plain {}
@Injectable()
@UseInterceptors(ThrowingInterceptor)
class Intercepted extends Plain {}
@Injectable()
@UseGuards(ThrowingGuard)
@UseInterceptors(ThrowingInterceptor)
class Both extends Plain {}
@Injectable({ scope: Scope.REQUEST })
@UseGuards(ThrowingGuard)
@UseInterceptors(ThrowingInterceptor)
class Scoped extends Plain {}

async function outcome(type: Type, throwing: Throwing): Promise<unknown> {
  const explored = await explore({ providers: [type] });
  const context = new TestContext({ request: throwing });
  return explored.call(`${type.name}.run`, {}, context).catch((error: unknown) => error);
}

describe('an exception', () => {
  it.each([Bare, Guarded, Intercepted, Both, Scoped])(
    'of the method of %o is a refusal by the method',
    async (type) => {
      expect(await outcome(type, {})).toBe('ran');
      expect(await outcome(type, { method: new NotFoundException('no such note') })).toEqual(
        new HandlerRefusal('method', 404, 'no such note'),
      );
    },
  );

  it.each([Guarded, Both, Scoped])('of a guard of %o is a refusal by the guard', async (type) => {
    expect(await outcome(type, { guard: new HttpException('slow down', 429) })).toEqual(
      new HandlerRefusal('guard', 429, 'slow down'),
    );
  });

  it.each([Intercepted, Both, Scoped])('of an interceptor of %o is a refusal by the method', async (type) => {
    expect(await outcome(type, { interceptor: new ForbiddenException('not yours') })).toEqual(
      new HandlerRefusal('method', 403, 'not yours'),
    );
  });

  it('of a guard carries its challenge', async () => {
    expect(await outcome(Guarded, { guard: new McpUnauthorized('Bearer realm="x"') })).toEqual(
      new HandlerRefusal('authorization', 401, 'Unauthorized', 'Bearer realm="x"'),
    );
    expect(
      await outcome(Guarded, { guard: new McpForbidden('Bearer error="insufficient_scope"', 'needs write') }),
    ).toEqual(new HandlerRefusal('authorization', 403, 'needs write', 'Bearer error="insufficient_scope"'));
    expect(await outcome(Guarded, { guard: new McpForbidden() })).toEqual(
      new HandlerRefusal('authorization', 403, 'Forbidden'),
    );
  });

  it('joins the messages of a validation pipe', async () => {
    const error = new BadRequestException(['name must be a string', 'age must be an integer']);
    expect(await outcome(Bare, { method: error })).toEqual(
      new HandlerRefusal('method', 400, 'name must be a string; age must be an integer'),
    );
  });

  it.each([
    new McpError(-32050, 'mine'),
    new McpToolError('read me'),
    new McpNotFound('gone'),
    new InternalServerErrorException('secret'),
    new HttpException('moved', 302),
    new TypeError('bug'),
  ])('that is no 4xx passes unchanged: %s', async (error) => {
    expect(await outcome(Both, { method: error })).toBe(error);
    expect(await outcome(Both, { guard: error })).toBe(error);
  });
});

describe('a result', () => {
  @Injectable()
  class Results {
    @McpTool()
    observable(): Observable<number> {
      return of(1, 2, 3);
    }

    @McpTool()
    async promised(): Promise<string> {
      return 'later';
    }
  }

  it('that is an Observable is its last value', async () => {
    const explored = await explore({ providers: [Results] });
    await expect(explored.call('Results.observable')).resolves.toBe(3);
    await expect(explored.call('Results.promised')).resolves.toBe('later');
  });

  it('comes from the method as it is at the time of the call, still guarded', async () => {
    const explored = await explore({ providers: [Guarded] });
    const spy = vi.spyOn(explored.app.get(Guarded), 'run').mockReturnValue('spied');
    await expect(explored.call('Guarded.run')).resolves.toBe('spied');
    const denied = new TestContext({ request: { guard: new ForbiddenException('no') } });
    await expect(explored.call('Guarded.run', {}, denied)).rejects.toEqual(new HandlerRefusal('guard', 403, 'no'));
    expect(spy).toHaveBeenCalledOnce();
    spy.mockRestore();
    await expect(explored.call('Guarded.run')).resolves.toBe('ran');
  });
});
