import {
  Controller,
  Global,
  Inject,
  Injectable,
  Module,
  type CanActivate,
  type DynamicModule,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  CatalogFault,
  InjectMcp,
  McpBootError,
  McpCatalog,
  McpModule,
  McpNotifier,
  McpTool,
  type McpEntry,
  type McpModuleOptions,
  type McpOptionsFactory,
} from 'nestjs-mcp';
import { describe, expect, it } from 'vitest';
import { call, callTool, PLATFORMS, start, type Platform, type Running } from './nest-app.js';
import { Echo, hostModule, OPEN } from './nest-fixture.js';

async function serving<T>(
  platform: Platform,
  module: Type | DynamicModule,
  check: (running: Running) => Promise<T>,
): Promise<T> {
  const running = await start(platform, module);
  try {
    return await check(running);
  } finally {
    await running.app.close();
  }
}

async function toolNames(url: string): Promise<string[]> {
  const { result } = await call(url, 'tools/list');
  return ((result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
}

async function serverName(url: string): Promise<unknown> {
  const { result } = await call(url, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  return (result?.['serverInfo'] as { name: string } | undefined)?.name;
}

const tool = (name: string, text: string): McpEntry => ({ kind: 'tool', name, handler: () => text });
const named = (name: string): McpModuleOptions => ({ ...OPEN, server: { name, version: '1' } });

@Injectable()
class Left {
  @McpTool()
  left(): string {
    return 'left';
  }
}
@Module({ providers: [Left] })
class LeftModule {}

@Controller('right')
class Right {
  @McpTool()
  right(): string {
    return 'right';
  }
}
@Module({ controllers: [Right] })
class RightModule {}

@Injectable()
class Settings implements McpOptionsFactory {
  createMcpOptions(): McpModuleOptions {
    return named('from-class');
  }
}
@Global()
@Module({ providers: [Settings], exports: [Settings] })
class SettingsModule {}

describe.each(PLATFORMS)('on %s', (platform) => {
  it('serves two servers of one application, each its own tools under its own name', async () => {
    @Module({
      imports: [
        LeftModule,
        RightModule,
        McpModule.forRoot({ ...named('one'), name: 'one', path: 'one', include: [LeftModule] }),
        McpModule.forRootAsync({ name: 'two', path: 'two', include: [RightModule], useFactory: () => named('two') }),
        McpModule.forFeature('two', [tool('extra', 'extra')]),
      ],
    })
    class Host {}
    await serving(platform, Host, async ({ app, url }) => {
      expect(await toolNames(url('/one'))).toEqual(['left']);
      expect(await toolNames(url('/two'))).toEqual(['extra', 'right']);
      expect(await serverName(url('/one'))).toBe('one');
      expect(await serverName(url('/two'))).toBe('two');
      expect(await callTool(url('/two'), 'left')).toBe('error -32602: Unknown tool');
      expect(() => app.get(McpCatalog).list()).toThrow(
        'There are several MCP servers: inject with @InjectMcp(name, …)',
      );
    });
  });

  it.each<[string, DynamicModule, string]>([
    [
      'useFactory',
      McpModule.forRootAsync({ useFactory: () => Promise.resolve(named('from-factory')) }),
      'from-factory',
    ],
    ['useClass', McpModule.forRootAsync({ useClass: Settings }), 'from-class'],
    ['useExisting', McpModule.forRootAsync({ imports: [SettingsModule], useExisting: Settings }), 'from-class'],
    [
      'inject',
      McpModule.forRootAsync({
        imports: [SettingsModule],
        inject: [Settings],
        useFactory: (settings: Settings) => settings.createMcpOptions(),
      }),
      'from-class',
    ],
  ])('takes its options asynchronously: %s', async (_how, server, name) => {
    @Module({ imports: [server], providers: [Echo] })
    class Host {}
    await serving(platform, Host, async ({ url }) => {
      expect(await serverName(url())).toBe(name);
      expect(await callTool(url(), 'echo', { text: 'hi' })).toBe('hi');
    });
  });

  it('changes its catalog while it runs', async () => {
    @Injectable()
    class Plugins implements OnModuleInit {
      constructor(readonly catalog: McpCatalog) {}

      async onModuleInit(): Promise<void> {
        await this.catalog.add([tool('early', 'early')]);
      }
    }
    await serving(platform, hostModule({ providers: [Plugins] }), async ({ app, url }) => {
      const { catalog } = app.get(Plugins);
      expect(await toolNames(url())).toEqual(['early', 'echo']);
      await catalog.add([tool('late', 'one'), { kind: 'resource', uri: 'test://a', name: 'a', handler: () => 'A' }]);
      expect(await callTool(url(), 'late')).toBe('one');
      await catalog.replace([tool('late', 'two')]);
      expect(await callTool(url(), 'late')).toBe('two');
      await expect(catalog.add([tool('fresh', 'x'), tool('late', 'three')])).rejects.toThrow(CatalogFault);
      expect(await toolNames(url())).toEqual(['early', 'echo', 'late']);
      expect(catalog.remove('tool', 'late')).toBe(true);
      expect(catalog.remove('tool', 'late')).toBe(false);
      expect(await callTool(url(), 'late')).toBe('error -32602: Unknown tool');
      expect(catalog.list().map(({ kind, key, source }) => [kind, key, source])).toEqual([
        ['tool', 'early', 'tool "early"'],
        ['tool', 'echo', 'Echo.echo'],
        ['resource', 'test://a', 'resource "test://a"'],
      ]);
    });
  });

  it('serves programmatic entries of every kind', async () => {
    const entries: readonly McpEntry[] = [
      { kind: 'resource', uri: 'test://a', name: 'a', handler: () => 'text of a' },
      { kind: 'template', uriTemplate: 'test://b/{id}', name: 'b', handler: ({ id }) => `b ${String(id)}` },
      {
        kind: 'prompt',
        name: 'ask',
        input: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
        handler: ({ of }) => `about ${of}`,
      },
      { kind: 'completion', prompt: 'ask', argument: 'of', handler: (value) => [`${value}!`] },
    ];
    const host = hostModule({ imports: [McpModule.forFeature(entries)] });
    await serving(platform, host, async ({ url }) => {
      const read = async (uri: string): Promise<unknown> => (await call(url(), 'resources/read', { uri })).result;
      expect(await read('test://a')).toMatchObject({ contents: [{ text: 'text of a' }] });
      expect(await read('test://b/7')).toMatchObject({ contents: [{ text: 'b 7' }] });
      const prompt = await call(url(), 'prompts/get', { name: 'ask', arguments: { of: 'x' } });
      expect(prompt.result).toMatchObject({ messages: [{ content: { text: 'about x' } }] });
      const completion = await call(url(), 'completion/complete', {
        ref: { type: 'ref/prompt', name: 'ask' },
        argument: { name: 'of', value: 'we' },
      });
      expect(completion.result).toMatchObject({ completion: { values: ['we!'] } });
    });
  });

  it('starts without anything to offer', async () => {
    @Module({ imports: [McpModule.forRoot(OPEN)] })
    class Host {}
    await serving(platform, Host, async ({ url }) => {
      expect(await toolNames(url())).toEqual([]);
    });
  });
});

describe('injection', () => {
  it('is by name where there are several servers, and plain where there is one', async () => {
    @Injectable()
    class ByName {
      constructor(
        @InjectMcp('one', McpCatalog) readonly one: McpCatalog,
        @InjectMcp('two', McpCatalog) readonly two: McpCatalog,
        @InjectMcp('two', McpNotifier) readonly notifier: McpNotifier,
      ) {}
    }
    @Module({ providers: [ByName] })
    class FeatureModule {}
    @Module({
      imports: [
        FeatureModule,
        LeftModule,
        McpModule.forRoot({ ...OPEN, name: 'one', path: 'one', include: [LeftModule] }),
        McpModule.forRoot({ ...OPEN, name: 'two', path: 'two', include: [] }),
      ],
    })
    class Several {}
    const several = await NestFactory.createApplicationContext(Several, { logger: false });
    const { one, two, notifier } = several.get(ByName, { strict: false });
    expect([one.list().length, two.list().length]).toEqual([1, 0]);
    expect(notifier).toBeInstanceOf(McpNotifier);
    await several.close();

    @Module({ imports: [LeftModule, McpModule.forRoot({ ...OPEN, name: 'only' })] })
    class Single {}
    const single = await NestFactory.createApplicationContext(Single, { logger: false });
    expect(single.get(McpCatalog).list()).toEqual(single.get<McpCatalog>('nestjs-mcp:McpCatalog:only').list());
    await single.close();
  });
});

async function bootFault(module: Type): Promise<readonly string[]> {
  const error: unknown = await start('express', module).then(
    async ({ app }) => app.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(McpBootError);
  const { faults, message } = error as McpBootError;
  for (const fault of faults) expect(message).toContain(`- ${fault.source}: ${fault.message}`);
  return faults.map(({ source, message: reason }) => `${source}: ${reason}`);
}

describe('what is wrong at boot', () => {
  it('is reported for all servers together', async () => {
    @Injectable()
    class Wrong {
      @McpTool({ name: 'no spaces please' })
      spaced(): void {}

      @McpTool({ name: 'twice' })
      first(): void {}

      @McpTool({ name: 'twice' })
      second(): void {}
    }
    const misspelt = { ...OPEN, allowedOrigin: 'any' };
    @Module({
      imports: [
        McpModule.forRoot({ ...misspelt, name: 'one', path: 'one' }),
        McpModule.forRootAsync({
          name: 'two',
          path: 'two',
          useFactory: () => ({ ...OPEN, guards: [], limits: { bodyBytes: -1 } }),
        }),
        McpModule.forFeature('three', []),
      ],
      providers: [Wrong],
    })
    class Host {}
    const faults = await bootFault(Host);
    expect(faults).toContain(
      'McpModule.forRoot "one": option "allowedOrigin" is not an option; did you mean "allowedOrigins"?',
    );
    expect(faults).toContain(
      `McpModule.forRootAsync "two": option "guards" must name a guard; write 'none' to let everybody in`,
    );
    expect(faults).toContain(
      'McpModule.forRootAsync "two": option "limits.bodyBytes" must be a whole number from 1 to 1073741824',
    );
    expect(faults).toContain('McpModule.forFeature: there is no server named "three"');
    expect(faults.filter((fault) => fault.startsWith('Wrong.spaced:'))).toHaveLength(1);
    expect(faults.some((fault) => /^Wrong\.(first|second):.*twice/.test(fault))).toBe(true);
  });

  it('is that two servers cannot be told apart', async () => {
    @Module({ imports: [McpModule.forRoot(OPEN), McpModule.forRoot({ ...OPEN }), McpModule.forFeature([])] })
    class Host {}
    expect(await bootFault(Host)).toEqual([
      'McpModule.forRoot: option "name" is required: another server of this application has none',
      'McpModule.forRoot: option "path" is the path of another server of this application',
      'McpModule.forFeature: must name one of the servers: there are several',
    ]);
  });

  it('is an option where a factory should give it, or one that does not exist', async () => {
    const options = { useFactory: () => OPEN, guards: 'none', pth: 'mcp' };
    @Module({ imports: [McpModule.forRootAsync(options)] })
    class Host {}
    expect(await bootFault(Host)).toEqual([
      'McpModule.forRootAsync: option "guards" is not an option',
      'McpModule.forRootAsync: option "pth" is not an option; did you mean "path"?',
    ]);
  });

  it('is a guard whose dependencies nobody provides', async () => {
    @Injectable()
    class Missing {}
    @Injectable()
    class Needy implements CanActivate {
      constructor(@Inject(Missing) readonly missing: Missing) {}

      canActivate(): boolean {
        return true;
      }
    }
    const [fault, ...others] = await bootFault(hostModule({ options: { guards: [Needy] } }));
    expect(fault).toContain('McpModule.forRoot: option "guards[0]": Needy cannot be created');
    expect(fault).toContain('Missing');
    expect(others).toEqual([]);
  });

  it('is a path with parameters, and a module that is not there', async () => {
    class Absent {}
    expect(await bootFault(hostModule({ extras: { path: 'mcp/:tenant', include: [Absent] } }))).toEqual([
      'McpModule.forRoot: option "path" must be one or more literal segments, e.g. mcp or api/mcp',
      'McpModule.forRoot: option "include" names Absent, which is not a module of this application',
    ]);
  });

  it('is a programmatic entry that cannot be served', async () => {
    const entries = [
      {
        kind: 'tool',
        name: 'bad',
        input: { type: 'object', properties: { a: { type: 'nothing' } } },
        handler: () => 1,
      },
      { kind: 'tol', name: 'odd', handler: () => 1 },
      { kind: 'tool', name: 'mute' },
    ] as unknown as McpEntry[];
    const faults = await bootFault(hostModule({ imports: [McpModule.forFeature(entries)] }));
    expect(faults).toHaveLength(3);
    expect(faults[0]).toMatch(/^tool "bad": /);
    expect(faults[1]).toBe('tol "odd": kind must be one of tool, resource, template, prompt, completion');
    expect(faults[2]).toBe('tool "mute": handler must be a function, or the option dispatch must be there');
  });

  it('is not a feature without any server', async () => {
    @Module({ imports: [McpModule.forFeature('elsewhere', [tool('a', 'a')])] })
    class Feature {}
    const app = await NestFactory.createApplicationContext(Feature, { logger: false });
    expect(() => app.get(McpCatalog).list()).toThrow('There is no MCP server');
    await app.close();
  });

  it('rejects the start of an application without HTTP alike', async () => {
    @Module({ imports: [McpModule.forRoot({ ...OPEN, pageSize: { tools: 0 } })] })
    class Host {}
    await expect(NestFactory.createApplicationContext(Host, { logger: false })).rejects.toThrow(
      'option "pageSize.tools" must be a whole number from 1 to 100000',
    );
  });
});
