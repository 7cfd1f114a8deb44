import { Inject, Injectable } from '@nestjs/common';
import { compileEntries, type Compiled, type EntryTools } from './compile-entries.js';
import type { GlobalGuards } from '../discovery/nest-view.js';
import { EntryHandlers } from './entry-handlers.js';
import type { McpEntry } from './mcp-entries.js';

export type { Compiled } from './compile-entries.js';

/** What entries are compiled with. */
export interface EntrySettings extends Pick<EntryTools, 'dispatch'> {
  readonly globalGuards: GlobalGuards;
}

/** Makes definitions of programmatic entries, with the application's global guards in front of them. */
@Injectable()
export class EntryCompiler {
  constructor(@Inject(EntryHandlers) private readonly handlers: EntryHandlers) {}

  compile(entries: readonly McpEntry[], { globalGuards, ...tools }: EntrySettings): Promise<Compiled> {
    return compileEntries(entries, {
      ...tools,
      handlerOf: (parts) => this.handlers.create({ ...parts, globalGuards }),
    });
  }
}
