import { Inject, Injectable } from '@nestjs/common';
import type { Declaration, HandlerKind } from './decorators/metadata.js';
import { declaredName, describeEntry } from './discovery/definitions.js';
import { DiscoveryFault } from './discovery/discovery-fault.js';
import type { GlobalGuards } from './discovery/nest-view.js';
import { EntryHandlers } from './entry-handlers.js';
import type { McpEntry } from './mcp-entries.js';
import type { Definition, Fault } from './protocol/entries.js';
import { SchemaFault } from './schema/schema-fault.js';

const KINDS: readonly string[] = ['tool', 'resource', 'template', 'prompt', 'completion'] satisfies HandlerKind[];

/** What became of programmatic entries. */
export interface Compiled {
  readonly definitions: readonly Definition[];
  readonly faults: readonly Fault[];
}

/** Makes definitions of entries that are no decorated methods, by the same path as the methods'. */
@Injectable()
export class EntryCompiler {
  constructor(@Inject(EntryHandlers) private readonly handlers: EntryHandlers) {}

  async compile(entries: readonly McpEntry[], globalGuards: GlobalGuards): Promise<Compiled> {
    const definitions: Definition[] = [];
    const faults: Fault[] = [];
    for (const entry of entries) {
      const source = sourceOf(entry);
      try {
        definitions.push(await this.#define(entry, source, globalGuards));
      } catch (error) {
        if (!(error instanceof DiscoveryFault || error instanceof SchemaFault)) throw error;
        faults.push({ source, message: error.message });
      }
    }
    return { definitions, faults };
  }

  async #define(entry: McpEntry, source: string, globalGuards: GlobalGuards): Promise<Definition> {
    if (!KINDS.includes(entry.kind)) throw new DiscoveryFault(`kind must be one of ${KINDS.join(', ')}`);
    const { kind, handler, ...options } = entry;
    if (typeof handler !== 'function') throw new DiscoveryFault('handler must be a function');
    const method = handler.bind(entry) as (...values: unknown[]) => unknown;
    // The members beside kind and handler are the options of that kind.
    const declaration = { kind, options, key: 'handler', method } as Declaration;
    const name = declaredName(declaration);
    const parts = { source, name, parameters: [], prototype: Object.prototype };
    const described = await describeEntry(declaration, parts);
    return { ...described, handler: this.handlers.create({ kind, name, method, globalGuards }) } as Definition;
  }
}

function sourceOf(entry: McpEntry): string {
  switch (entry.kind) {
    case 'resource':
      return `resource "${entry.uri}"`;
    case 'template':
      return `template "${entry.uriTemplate}"`;
    case 'completion':
      return `completion of "${'prompt' in entry ? entry.prompt : entry.uriTemplate}"`;
    default:
      return `${entry.kind} "${entry.name}"`;
  }
}
