import { Module, type DynamicModule } from '@nestjs/common';
import type { McpEntry } from '../entries/mcp-entries.js';
import { McpRegistrations } from './mcp-registrations.js';
import { McpSharedModule } from './mcp-shared.module.js';

const FEATURE = Symbol('nestjs-mcp:feature');

/** Gives programmatic entries to a server of the application. */
@Module({})
export class McpFeatureModule {
  static for(name: string | undefined, entries: readonly McpEntry[]): DynamicModule {
    return {
      module: McpFeatureModule,
      imports: [McpSharedModule],
      providers: [
        {
          provide: FEATURE,
          useFactory: (registrations: McpRegistrations) => registrations.features.push({ name, entries }),
          inject: [McpRegistrations],
        },
      ],
    };
  }
}
