import {
  Controller,
  Get,
  Inject,
  Injectable,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import { HandlerRefusal } from '../../src/protocol/errors.js';
import { explore } from './explore.js';
import { TestContext } from './test-context.js';

@Injectable()
class Verdict {
  allows(request: unknown): boolean {
    return (request as { readonly allowed?: boolean }).allowed === true;
  }
}

/** Needs dependency injection, so it only works as an instance that Nest built. */
@Injectable()
class DenyGuard implements CanActivate {
  constructor(private readonly verdict: Verdict) {}

  canActivate(context: ExecutionContext): boolean {
    return this.verdict.allows(context.switchToHttp().getRequest());
  }
}

const open = (): TestContext => new TestContext({ request: { headers: {}, allowed: true } });

@Injectable()
class OnMethod {
  @McpTool()
  @UseGuards(DenyGuard)
  run(): string {
    return 'ran';
  }
}

@Injectable()
@UseGuards(DenyGuard)
class OnClass {
  @McpTool()
  run(): string {
    return 'ran';
  }
}

@Controller('guarded')
@UseGuards(DenyGuard)
class OnController {
  @Get()
  @McpTool()
  run(): string {
    return 'ran';
  }
}

@Controller('guarded-method')
class OnControllerMethod {
  @McpTool()
  @UseGuards(DenyGuard)
  run(): string {
    return 'ran';
  }
}

@Injectable({ scope: Scope.REQUEST })
class OnRequestScoped {
  constructor(@Inject(REQUEST) readonly request: unknown) {}

  @McpTool()
  @UseGuards(DenyGuard)
  run(): string {
    return 'ran';
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class OnTransient {
  @McpTool()
  @UseGuards(DenyGuard)
  run(): string {
    return 'ran';
  }
}

class Base {
  @McpTool()
  @UseGuards(DenyGuard)
  run(): string {
    return 'ran';
  }
}

@Injectable()
class Inheriting extends Base {}

@Injectable()
class Overriding extends Base {
  override run(): string {
    return 'ran';
  }
}

function Wrap(): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    const inner = descriptor.value as (...values: unknown[]) => unknown;
    descriptor.value = function wrapper(this: unknown, ...values: unknown[]): unknown {
      return inner.apply(this, values);
    };
  };
}

@Injectable()
class Wrapped {
  @Wrap()
  @McpTool()
  @UseGuards(DenyGuard)
  run(): string {
    return 'ran';
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestGuard implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: { readonly allowed?: boolean }) {}

  canActivate(): boolean {
    return this.request.allowed === true;
  }
}

@Injectable()
class OnStaticByRequestGuard {
  @McpTool()
  @UseGuards(RequestGuard)
  run(): string {
    return 'ran';
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientGuard implements CanActivate {
  constructor(private readonly verdict: Verdict) {}

  canActivate(context: ExecutionContext): boolean {
    return this.verdict.allows(context.switchToHttp().getRequest());
  }
}

@Injectable()
class OnStaticByTransientGuard {
  @McpTool()
  @UseGuards(TransientGuard)
  run(): string {
    return 'ran';
  }
}

@Controller('transient-guard')
class OnControllerByTransientGuard {
  @McpTool()
  @UseGuards(TransientGuard)
  run(): string {
    return 'ran';
  }
}

@Injectable({ scope: Scope.REQUEST })
class OnScopedByTransientGuard {
  @McpTool()
  @UseGuards(TransientGuard)
  run(): string {
    return 'ran';
  }
}

const hosts: readonly (readonly [string, Type, ModuleMetadata])[] = [
  ['on a method of a provider', OnMethod, { providers: [OnMethod] }],
  ['on the class of a provider', OnClass, { providers: [OnClass] }],
  ['on the class of a controller', OnController, { controllers: [OnController] }],
  ['on a method of a controller', OnControllerMethod, { controllers: [OnControllerMethod] }],
  ['of a class provided under a token', OnMethod, { providers: [{ provide: 'TOKEN', useClass: OnMethod }] }],
  ['of what a factory made', OnMethod, { providers: [{ provide: 'TOKEN', useFactory: () => new OnMethod() }] }],
  [
    'on the class of what a factory made',
    OnClass,
    { providers: [{ provide: 'T', useFactory: async () => new OnClass() }] },
  ],
  ['of a value', OnMethod, { providers: [{ provide: OnMethod, useValue: new OnMethod() }] }],
  ['on the class of a value', OnClass, { providers: [{ provide: 'TOKEN', useValue: new OnClass() }] }],
  ['of a provider with an alias', OnMethod, { providers: [OnMethod, { provide: 'ALIAS', useExisting: OnMethod }] }],
  ['of a request-scoped provider', OnRequestScoped, { providers: [OnRequestScoped] }],
  ['of a transient provider', OnTransient, { providers: [OnTransient] }],
  ['of an inherited method', Inheriting, { providers: [Inheriting] }],
  ['of an inherited method on a value', Inheriting, { providers: [{ provide: 'T', useValue: new Inheriting() }] }],
  ['of a method that a subclass overrides', Overriding, { providers: [Overriding] }],
  ['of a method that another decorator wrapped', Wrapped, { providers: [Wrapped] }],
  ['of a wrapped method on a value', Wrapped, { providers: [{ provide: 'T', useValue: new Wrapped() }] }],
  ['that is request-scoped on a static provider', OnStaticByRequestGuard, { providers: [OnStaticByRequestGuard] }],
  ['that is transient on a static provider', OnStaticByTransientGuard, { providers: [OnStaticByTransientGuard] }],
  ['that is transient on a controller', OnControllerByTransientGuard, { controllers: [OnControllerByTransientGuard] }],
  ['that is transient on a scoped provider', OnScopedByTransientGuard, { providers: [OnScopedByTransientGuard] }],
];

describe('a guard', () => {
  it.each(hosts)('%s denies and allows', async (_name, type, metadata) => {
    const explored = await explore({ ...metadata, providers: [Verdict, ...(metadata.providers ?? [])] });
    const source = `${type.name}.run`;
    expect(explored.faults).toEqual([]);
    expect(explored.sources).toEqual([source]);
    await expect(explored.call(source)).rejects.toEqual(new HandlerRefusal('guard', 403, 'Forbidden resource'));
    await expect(explored.call(source, {}, open())).resolves.toBe('ran');
  });
});
