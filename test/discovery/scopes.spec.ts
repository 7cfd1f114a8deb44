import { Inject, Injectable, NotFoundException, Scope, type CanActivate, UseGuards } from '@nestjs/common';
import { ContextIdFactory, INQUIRER, REQUEST, type ContextId, type HostComponentInfo } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import { HandlerRefusal } from '../../src/protocol/errors.js';
import { explore } from './explore.js';
import { TestContext } from './test-context.js';

interface TenantRequest {
  readonly headers: object;
  readonly tenant: string;
}
const of = (tenant: string): TestContext => new TestContext({ request: Object.freeze({ headers: {}, tenant }) });

describe('a host', () => {
  afterEach(() => ContextIdFactory.apply(undefined as never));

  it('that is request-scoped is made for each call, with its request', async () => {
    let made = 0;
    @Injectable({ scope: Scope.REQUEST })
    class Dependency {
      constructor(@Inject(REQUEST) readonly request: TenantRequest) {}
    }
    @Injectable()
    class Scoped {
      readonly number = ++made;
      constructor(readonly dependency: Dependency) {}

      @McpTool()
      tenant(): unknown[] {
        return [this.number, this.dependency.request.tenant];
      }
    }
    const explored = await explore({ providers: [Dependency, Scoped] });
    const before = made;
    await expect(explored.call('Scoped.tenant', {}, of('a'))).resolves.toEqual([before + 1, 'a']);
    await expect(explored.call('Scoped.tenant', {}, of('b'))).resolves.toEqual([before + 2, 'b']);
  });

  it('whose constructor refuses a call refuses it like the method would', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Refusing {
      constructor() {
        throw new NotFoundException('no such tenant');
      }

      @McpTool()
      run(): void {}
    }
    const explored = await explore({ providers: [Refusing] });
    await expect(explored.call('Refusing.run')).rejects.toEqual(new HandlerRefusal('method', 404, 'no such tenant'));
  });

  it('that is transient is made for each call, and its transient dependencies know it', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Log {
      readonly owner: string;
      constructor(@Inject(INQUIRER) inquirer: object) {
        this.owner = inquirer.constructor.name;
      }
    }
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient {
      calls = 0;
      constructor(readonly log: Log) {}

      @McpTool()
      count(): unknown[] {
        return [++this.calls, this.log.owner];
      }
    }
    const explored = await explore({ providers: [Log, Transient] });
    await expect(explored.call('Transient.count')).resolves.toEqual([1, 'Transient']);
    await expect(explored.call('Transient.count')).resolves.toEqual([1, 'Transient']);
  });

  it('that is durable is made once for each tenant, guards included', async () => {
    const tenants = new Map<string, ContextId>();
    ContextIdFactory.apply({
      attach(contextId: ContextId, request: TenantRequest) {
        const parent = tenants.get(request.tenant) ?? ContextIdFactory.create();
        tenants.set(request.tenant, parent);
        const resolve = (info: HostComponentInfo): ContextId => (info.isTreeDurable ? parent : contextId);
        return { resolve, payload: { tenant: request.tenant } };
      },
    });
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class Guard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly payload: { readonly tenant: string }) {}
      canActivate(): boolean {
        return this.payload.tenant !== 'banned';
      }
    }
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class Durable {
      calls = 0;
      constructor(@Inject(REQUEST) readonly payload: { readonly tenant: string }) {}

      @McpTool()
      @UseGuards(Guard)
      count(): unknown[] {
        return [this.payload.tenant, ++this.calls];
      }
    }
    const explored = await explore({ providers: [Durable] });
    await expect(explored.call('Durable.count', {}, of('a'))).resolves.toEqual(['a', 1]);
    await expect(explored.call('Durable.count', {}, of('a'))).resolves.toEqual(['a', 2]);
    await expect(explored.call('Durable.count', {}, of('b'))).resolves.toEqual(['b', 1]);
    await expect(explored.call('Durable.count', {}, of('banned'))).rejects.toMatchObject({ origin: 'guard' });
  });

  it('that is static is the instance of its module', async () => {
    @Injectable()
    class Static {
      calls = 0;
      @McpTool()
      count(): number {
        return ++this.calls;
      }
    }
    const explored = await explore({ providers: [Static] });
    await explored.call('Static.count');
    await explored.call('Static.count');
    expect(explored.app.get(Static).calls).toBe(2);
  });
});
