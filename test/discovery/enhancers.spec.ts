import {
  BadRequestException,
  Catch,
  Controller,
  Injectable,
  Logger,
  ParseIntPipe,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentMetadata,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type ModuleMetadata,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { map, of, type Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { McpArg } from '../../src/decorators/mcp-arg.js';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import { HandlerRefusal, McpToolError } from '../../src/protocol/errors.js';
import { explore } from './explore.js';
import { TestContext } from './test-context.js';

@Injectable()
class Suffix {
  readonly text = '!';
}

@Injectable()
class Shout implements NestInterceptor {
  constructor(private readonly suffix: Suffix) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value) => `${String(value)}${this.suffix.text}`));
  }
}

@Injectable()
class Double implements PipeTransform {
  constructor(private readonly suffix: Suffix) {}

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    return metadata.type === 'body' && typeof value === 'string' ? value + value + this.suffix.text : value;
  }
}

@Catch(RangeError)
@Injectable()
class RangeFilter implements ExceptionFilter {
  constructor(private readonly suffix: Suffix) {}

  catch(error: RangeError): string {
    return `caught ${error.message}${this.suffix.text}`;
  }
}

class Tools {
  @McpTool()
  @UseInterceptors(Shout)
  shout(): string {
    return 'hello';
  }

  @McpTool()
  @UsePipes(Double)
  double(@McpArg('text') text: string): string {
    return text;
  }

  @McpTool()
  one(@McpArg('text', Double) text: string): string {
    return text;
  }

  @McpTool()
  @UseFilters(RangeFilter)
  fail(@McpArg('how') how: string): string {
    if (how === 'range') throw new RangeError('too far');
    throw new McpToolError('other');
  }
}

@Injectable()
class ProvidedTools extends Tools {}
@Controller('tools')
class ToolController extends Tools {}
@Injectable({ scope: Scope.REQUEST })
class ScopedTools extends Tools {}

const hosts: readonly (readonly [string, ModuleMetadata, string])[] = [
  ['a provider', { providers: [ProvidedTools] }, 'ProvidedTools'],
  ['a controller', { controllers: [ToolController] }, 'ToolController'],
  ['a request-scoped provider', { providers: [ScopedTools] }, 'ScopedTools'],
  ['a value', { providers: [{ provide: 'T', useValue: new Tools() }] }, 'Tools'],
  ['what a factory made', { providers: [{ provide: 'T', useFactory: () => new Tools() }] }, 'Tools'],
];

describe.each(hosts)('on %s', (_name, { providers = [], ...metadata }, type) => {
  const started = explore({ ...metadata, providers: [Suffix, ...providers] });

  it('interceptors run', async () => {
    await expect((await started).call(`${type}.shout`)).resolves.toBe('hello!');
  });

  it('pipes of the method and of a parameter run', async () => {
    await expect((await started).call(`${type}.double`, { text: 'a' })).resolves.toBe('aa!');
    await expect((await started).call(`${type}.one`, { text: 'a' })).resolves.toBe('aa!');
  });

  it('filters run, and what they do not catch passes unlogged', async () => {
    await expect((await started).call(`${type}.fail`, { how: 'range' })).resolves.toBe('caught too far!');
    const log = vi.spyOn(Logger.prototype, 'error');
    await expect((await started).call(`${type}.fail`, { how: 'else' })).rejects.toEqual(new McpToolError('other'));
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });
});

describe('filters', () => {
  @Catch()
  class Streaming implements ExceptionFilter {
    catch(): Observable<string> {
      return of('first', 'last');
    }
  }

  @Catch()
  class HttpStyle implements ExceptionFilter {
    catch(_error: unknown, host: ArgumentsHost): void {
      host
        .switchToHttp()
        .getResponse<{ status: (code: number) => { json: (body: object) => void } }>()
        .status(500)
        .json({});
    }
  }

  @Injectable()
  class Failing {
    @McpTool()
    @UseFilters(Streaming)
    stream(): never {
      throw new Error('x');
    }

    @McpTool()
    @UseFilters(HttpStyle)
    http(): never {
      throw new Error('x');
    }

    @McpTool()
    @UseFilters(RangeFilter)
    refuse(): never {
      throw new BadRequestException('no');
    }
  }

  it('that return an Observable give its last value', async () => {
    const explored = await explore({ providers: [Suffix, Failing] });
    await expect(explored.call('Failing.stream')).resolves.toBe('last');
  });

  it('that answer over HTTP meet the stand-in, and its error is the outcome', async () => {
    const explored = await explore({ providers: [Suffix, Failing] });
    const json = vi.fn(() => {
      throw new Error('the response is not yours');
    });
    const response = { status: () => ({ json }) };
    await expect(explored.call('Failing.http', {}, new TestContext({ response }))).rejects.toThrow('not yours');
    expect(json).toHaveBeenCalledOnce();
  });

  it('leave a 4xx exception to be read as a refusal', async () => {
    const explored = await explore({ providers: [Suffix, Failing] });
    await expect(explored.call('Failing.refuse')).rejects.toEqual(new HandlerRefusal('method', 400, 'no'));
  });
});

describe('global enhancers other than guards', () => {
  class Wrap implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next.handle().pipe(map((data: unknown) => ({ data })));
    }
  }
  @Catch()
  class CatchAll implements ExceptionFilter {
    catch(): string {
      return 'caught';
    }
  }
  class Refuse implements PipeTransform {
    transform(): never {
      throw new BadRequestException('refused');
    }
  }
  @Injectable()
  class Plain {
    @McpTool()
    run(args: unknown): unknown {
      return args;
    }

    @McpTool()
    fail(): never {
      throw new Error('plain');
    }
  }

  it.each([Scope.DEFAULT, Scope.REQUEST])('act on the endpoint alone (scope %s)', async (scope) => {
    const explored = await explore({
      providers: [
        Plain,
        { provide: APP_INTERCEPTOR, useClass: Wrap, scope },
        { provide: APP_FILTER, useClass: CatchAll, scope },
        { provide: APP_PIPE, useClass: Refuse, scope },
      ],
    });
    await expect(explored.call('Plain.run', { a: 1 })).resolves.toEqual({ a: 1 });
    await expect(explored.call('Plain.fail')).rejects.toThrow('plain');
  });
});

describe('an enhancer that could not run is a boot fault', () => {
  @Injectable()
  class Absent {}
  @Injectable()
  class NeedsAbsent implements CanActivate {
    constructor(readonly absent: Absent) {}
    canActivate(): boolean {
      return false;
    }
  }
  @Injectable({ scope: Scope.REQUEST })
  class Scoped implements CanActivate {
    canActivate(): boolean {
      return false;
    }
  }
  class NoPipe {}

  class Guarded {
    @McpTool()
    @UseGuards(NeedsAbsent)
    missing(): string {
      return 'never';
    }

    @McpTool()
    @UseGuards(Scoped)
    scoped(): string {
      return 'never';
    }

    @McpTool()
    piped(@McpArg('a', NoPipe as unknown as typeof ParseIntPipe) a: number): number {
      return a;
    }
  }

  it('naming Class.method and the enhancer', async () => {
    const { faults, definitions } = await explore({ providers: [{ provide: 'T', useValue: new Guarded() }] });
    expect(definitions).toEqual([]);
    expect(faults.map(({ source }) => source)).toEqual(['Guarded.missing', 'Guarded.scoped', 'Guarded.piped']);
    expect(faults[0]?.message).toMatch(/^guard NeedsAbsent cannot be created: .*Absent/s);
    expect(faults[1]?.message).toMatch(/^guard Scoped is request-scoped/);
    expect(faults[2]?.message).toBe('pipe NoPipe has no method transform');
  });
});
