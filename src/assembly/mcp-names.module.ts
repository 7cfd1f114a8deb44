import { Module, type DynamicModule } from '@nestjs/common';
import { mcpToken } from './inject-mcp.js';
import { McpCatalog } from '../entries/mcp-catalog.js';
import { McpNotifier } from './mcp-notifier.js';
import { McpRegistrations } from './mcp-registrations.js';

/** Makes the parts of a named server injectable everywhere, for `@InjectMcp`. */
@Module({})
export class McpNamesModule {
  static for(name: string): DynamicModule {
    const providers = [McpCatalog, McpNotifier].map((Part) => ({
      provide: mcpToken(name, Part),
      useFactory: (registrations: McpRegistrations) => new Part(() => registrations.find(name)),
      inject: [McpRegistrations],
    }));
    return { module: McpNamesModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
