import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Headers,
  Injectable,
  Param,
  ParseIntPipe,
  Query,
  Req,
  ValidationPipe,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { McpArg } from '../../src/decorators/mcp-arg.js';
import { McpArgs } from '../../src/decorators/mcp-args.js';
import { McpCompletion } from '../../src/decorators/mcp-completion.js';
import { McpCtx } from '../../src/decorators/mcp-ctx.js';
import { McpIdentity } from '../../src/decorators/mcp-identity.js';
import { McpPrompt } from '../../src/decorators/mcp-prompt.js';
import { McpResource } from '../../src/decorators/mcp-resource.js';
import { McpResourceTemplate } from '../../src/decorators/mcp-resource-template.js';
import { McpTool } from '../../src/decorators/mcp-tool.js';
import { HandlerRefusal } from '../../src/protocol/errors.js';
import { McpExecutionContext } from '../../src/discovery/mcp-execution-context.js';
import { explore } from './explore.js';
import { TestContext } from './test-context.js';

const CurrentUser = createParamDecorator((_data: unknown, host: ExecutionContext) => {
  return host.switchToHttp().getRequest<{ readonly user?: string }>().user;
});
const ToolName = createParamDecorator((_data: unknown, host: ExecutionContext) => {
  return McpExecutionContext.create(host).getHandlerIdentity().name;
});

class Place {
  @IsString()
  readonly name!: string;
}

const input = { type: 'object' } as const;

@Injectable()
class Tools {
  @McpTool({ input })
  plain(...values: unknown[]): unknown[] {
    return values;
  }

  @McpTool()
  named(@McpArg('place') place: string, @McpArg('days') days = 3, @McpArg('unit') unit?: string): unknown[] {
    return [place, days, unit];
  }

  @McpTool({ input })
  mixed(@McpCtx() context: unknown, @McpIdentity() identity: unknown, @McpArgs() args: unknown): unknown[] {
    return [context, identity, args];
  }

  @McpTool({ input })
  custom(args: unknown, @CurrentUser() user: string, @ToolName() name: string): unknown[] {
    return [args, user, name];
  }

  @McpTool({ input })
  onlyCustom(@CurrentUser() user: string, context: unknown): unknown[] {
    return [user, context];
  }

  @McpTool()
  piped(@McpArg('count', { schema: { type: 'string' } }, ParseIntPipe) count: number): number {
    return count;
  }

  @McpTool({ input })
  validated(@McpArgs(new ValidationPipe({ transform: true })) place: Place): boolean {
    return place instanceof Place;
  }

  @McpTool()
  prototypeName(@McpArg('constructor', { schema: {}, required: false }) value: unknown): unknown {
    return value;
  }

  @McpResource({ uri: 'test://all' })
  all(...values: unknown[]): unknown[] {
    return values;
  }

  @McpResourceTemplate({ uriTemplate: 'test://one/{id}' })
  one(@McpArg('id') id: string): string {
    return id;
  }

  @McpPrompt()
  ask(@McpArg('place') place: string): string {
    return `How is ${place}?`;
  }

  @McpCompletion({ prompt: 'ask', argument: 'place' })
  complete(...values: unknown[]): unknown[] {
    return values;
  }

  @McpCompletion({ uriTemplate: 'test://one/{id}', argument: 'id' })
  completeId(@McpArgs() value: string, @McpArg('place') place: string, @McpCtx() context: unknown): unknown[] {
    return [value, place, context];
  }
}

@Controller('places')
class Places {
  @Get(':id')
  @McpTool()
  find(
    @Param('id', ParseIntPipe) @McpArg('id', { schema: { type: 'integer' } }) id: number,
    @Req() request: unknown,
    @Headers('accept') accept?: string,
  ): unknown[] {
    return [id, request, accept];
  }

  @Get()
  @McpTool()
  search(@Query('q') q: string, @Body() body: unknown): unknown[] {
    return [q, body];
  }

  @McpTool()
  ambiguous(@McpArg('a') @McpCtx() a: string): string {
    return a;
  }
}

const context = new TestContext({ identity: 'ada', request: { headers: {}, user: 'ada' } });

const passing = { provide: APP_GUARD, useValue: { canActivate: () => true } };

// Without anything bound to it a method is called directly, otherwise by Nest: the two must not differ.
describe.each([
  ['a handler', []],
  ['a guarded handler', [passing]],
])('%s', (_name, providers) => {
  const started = explore({ providers: [Tools, ...providers], controllers: [Places] });
  const call = async (source: string, args: unknown): Promise<unknown> => (await started).call(source, args, context);

  it('without parameter decorators is called with (arguments, context)', async () => {
    await expect(call('Tools.plain', { a: 1 })).resolves.toEqual([{ a: 1 }, context]);
    await expect((await started).find('Tools.all').handler(undefined, context)).resolves.toEqual([undefined, context]);
  });

  it('gets named arguments, and defaults where they are absent', async () => {
    await expect(call('Tools.named', { place: 'Rome', days: 7, unit: 'C' })).resolves.toEqual(['Rome', 7, 'C']);
    await expect(call('Tools.named', { place: 'Rome' })).resolves.toEqual(['Rome', 3, undefined]);
  });

  it('gets own properties of the arguments alone', async () => {
    await expect(call('Tools.prototypeName', {})).resolves.toBeUndefined();
  });

  it('gets context, identity and arguments in any order', async () => {
    await expect(call('Tools.mixed', { a: 1 })).resolves.toEqual([context, 'ada', { a: 1 }]);
  });

  it("gets what the host's own parameter decorators make, beside arguments and context", async () => {
    await expect(call('Tools.custom', { a: 1 })).resolves.toEqual([{ a: 1 }, 'ada', 'custom']);
    await expect(call('Tools.onlyCustom', {})).resolves.toEqual(['ada', context]);
  });

  it('gets arguments through pipes, which know them as a body', async () => {
    await expect(call('Tools.piped', { count: '12' })).resolves.toBe(12);
    await expect(call('Tools.piped', { count: 'x' })).rejects.toBeInstanceOf(HandlerRefusal);
    await expect(call('Tools.validated', { name: 'Rome' })).resolves.toBe(true);
    await expect(call('Tools.validated', {})).rejects.toEqual(
      new HandlerRefusal('method', 400, 'name must be a string'),
    );
  });

  it('of a template, a prompt and a completion gets variables, arguments and the value', async () => {
    await expect(call('Tools.one', { id: '7' })).resolves.toBe('7');
    await expect(call('Tools.ask', { place: 'Rome' })).resolves.toBe('How is Rome?');
    const typed = { value: 'Ro', arguments: { place: 'Italy' } };
    await expect(call('Tools.complete', typed)).resolves.toEqual(['Ro', typed, context]);
    await expect(call('Tools.completeId', typed)).resolves.toEqual(['Ro', 'Italy', context]);
  });

  it('that is a route too gets the request, and nothing for what only HTTP has', async () => {
    await expect(call('Places.find', { id: 7 })).resolves.toEqual([7, context.request, undefined]);
  });

  it('whose parameters only HTTP can fill, or two decorators fill, is a boot fault', async () => {
    expect((await started).faults).toEqual([
      {
        source: 'Places.search',
        message: 'parameter 0 has an HTTP decorator only; add @McpArg, @McpArgs or @McpCtx to say what a call passes',
      },
      { source: 'Places.ambiguous', message: 'parameter 0 has two decorators that say what it gets' },
    ]);
  });
});
