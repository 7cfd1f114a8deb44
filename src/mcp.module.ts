import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type DynamicModule,
  type MiddlewareConsumer,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { DOOR } from './guards/door.guard.js';
import { doorMiddleware } from './guards/door.middleware.js';
import type { McpEntry } from './entries/mcp-entries.js';
import { McpFeatureModule } from './assembly/mcp-feature.module.js';
import { McpNamesModule } from './assembly/mcp-names.module.js';
import type { McpModuleOptions } from './options/mcp-options.js';
import {
  MODULE_OPTIONS,
  McpRegistration,
  REGISTRATION_EXTRAS,
  type RegistrationExtras,
} from './assembly/mcp-registration.js';
import { McpSharedModule } from './assembly/mcp-shared.module.js';
import { endpointController } from './mcp.controller.js';
import type { McpModuleExtras } from './options/module-extras.js';

const ENDPOINT = Symbol('nestjs-mcp:endpoint');
const DEFAULTS: McpModuleExtras & { readonly path: string } = {
  path: 'mcp',
  include: undefined,
  name: undefined,
  imports: undefined,
};

/** Members of `given` that are neither ours nor Nest's. */
function strangersOf(given: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(DEFAULTS, name)));
}

function completed(definition: DynamicModule, given: McpModuleExtras): DynamicModule {
  const { path = DEFAULTS.path, include, name, imports = [] } = given;
  // With `forRootAsync` Nest has put the same imports there already, and the options come from a factory.
  const isAsync = definition.imports !== undefined;
  const controller = endpointController(typeof path === 'string' ? path.replace(/^\/+|\/+$/g, '') : DEFAULTS.path);
  const extras: RegistrationExtras = {
    path,
    include,
    name,
    source: isAsync ? 'McpModule.forRootAsync' : 'McpModule.forRoot',
    strangers: isAsync ? strangersOf(given) : {},
    moduleClass: definition.module,
  };
  return {
    ...definition,
    imports: [
      ...new Set([...(definition.imports ?? []), ...imports]),
      McpSharedModule,
      ...(typeof name === 'string' ? [McpNamesModule.for(name)] : []),
    ],
    controllers: [controller],
    providers: [
      ...(definition.providers ?? []),
      { provide: REGISTRATION_EXTRAS, useValue: extras },
      { provide: ENDPOINT, useValue: controller },
      { provide: DOOR, useExisting: McpRegistration },
      McpRegistration,
    ],
  };
}

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } = new ConfigurableModuleBuilder<McpModuleOptions>({
  optionsInjectionToken: MODULE_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createMcpOptions')
  .setExtras<McpModuleExtras>(DEFAULTS, completed)
  .build();

/**
 * An MCP server at one path of the application. Several servers are several registrations, told apart by `name` and
 * `path`. Whatever is wrong is reported when the application starts, as one `McpBootError`.
 */
@Module({})
export class McpModule extends ConfigurableModuleClass implements NestModule {
  constructor(
    @Inject(ENDPOINT) private readonly endpoint: Type,
    private readonly registration: McpRegistration,
  ) {
    super();
  }

  /** Options as they are; `path`, `include`, `name` and `imports` beside them. */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  /** Options from `useFactory`, `useClass` or `useExisting`; `path`, `include`, `name` and `imports` beside it. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /** Gives entries that are no decorated methods to the server of this name, or to the only one. */
  static forFeature(entries: readonly McpEntry[]): DynamicModule;
  static forFeature(name: string, entries: readonly McpEntry[]): DynamicModule;
  static forFeature(...given: [readonly McpEntry[]] | [string, readonly McpEntry[]]): DynamicModule {
    return given.length === 1 ? McpFeatureModule.for(undefined, given[0]) : McpFeatureModule.for(given[0], given[1]);
  }

  /** Host, Origin and preflight come before every guard, global ones too; only a middleware does. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(doorMiddleware(() => this.registration.rules)).forRoutes(this.endpoint);
  }
}
