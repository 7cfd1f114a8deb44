import { Inject, Injectable } from '@nestjs/common';
import type { Declaration, HandlerKind } from './decorators/metadata.js';
import { declaredName, describeEntry } from './discovery/definitions.js';
import { DiscoveryFault } from './discovery/discovery-fault.js';
import type { GlobalGuards } from './discovery/nest-view.js';
import { EntryHandlers } from './entry-handlers.js';
import type { McpEntry, McpToolEntry } from './mcp-entries.js';
import type { McpContext } from './protocol/context.js';
import type { Definition, Fault } from './protocol/entries.js';
import { SchemaFault } from './schema/schema-fault.js';

const KINDS: readonly string[] = ['tool', 'resource', 'template', 'prompt', 'completion'] satisfies HandlerKind[];

/** What became of programmatic entries. */
export interface Compiled {
  readonly definitions: readonly Definition[];
  readonly faults: readonly Fault[];
}

/** What entries are compiled with. */
export interface EntrySettings {
  readonly globalGuards: GlobalGuards;
  /** Runs tools that have no handler. */
  readonly dispatch?: (name: string, args: Record<string, unknown>, context: McpContext) => unknown;
}

/** Makes definitions of entries that are no decorated methods, by the same path as the methods'. */
@Injectable()
export class EntryCompiler {
  constructor(@Inject(EntryHandlers) private readonly handlers: EntryHandlers) {}

  async compile(entries: readonly McpEntry[], settings: EntrySettings): Promise<Compiled> {
    const definitions: Definition[] = [];
    const faults: Fault[] = [];
    for (const entry of entries) {
      const source = sourceOf(entry);
      try {
        definitions.push(await this.#define(entry, source, settings));
      } catch (error) {
        if (!(error instanceof DiscoveryFault || error instanceof SchemaFault)) throw error;
        faults.push({ source, message: error.message });
      }
    }
    return { definitions, faults };
  }

  async #define(entry: McpEntry, source: string, settings: EntrySettings): Promise<Definition> {
    if (!KINDS.includes(entry.kind)) throw new DiscoveryFault(`kind must be one of ${KINDS.join(', ')}`);
    const { kind, handler: _handler, ...options } = entry;
    const method = methodOf(entry, settings);
    // The members beside kind and handler are the options of that kind.
    const declaration = { kind, options, key: 'handler', method } as Declaration;
    const name = declaredName(declaration);
    const parts = { source, name, parameters: [], prototype: Object.prototype };
    const described = await describeEntry(declaration, parts);
    return {
      ...described,
      handler: this.handlers.create({ kind, name, method, globalGuards: settings.globalGuards }),
    } as Definition;
  }
}

type Method = (...values: unknown[]) => unknown;

function methodOf(entry: McpEntry, { dispatch }: EntrySettings): Method {
  const { kind, handler } = entry;
  if (typeof handler === 'function') return handler.bind(entry) as Method;
  if (handler === undefined && kind === 'tool' && dispatch !== undefined) {
    // What a handler of a tool is called with.
    return ((args, context) => dispatch(entry.name, args, context)) as NonNullable<McpToolEntry['handler']> as Method;
  }
  throw new DiscoveryFault(
    handler === undefined && kind === 'tool'
      ? 'handler must be a function, or the option dispatch must be there'
      : 'handler must be a function',
  );
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
