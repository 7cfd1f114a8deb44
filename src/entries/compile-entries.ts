import type { Declaration, HandlerKind } from '../decorators/metadata.js';
import { declaredName, describeEntry } from '../discovery/definitions.js';
import { DiscoveryFault } from '../discovery/discovery-fault.js';
import type { McpEntry, McpToolEntry } from './mcp-entries.js';
import type { McpModuleOptions } from '../options/mcp-options.js';
import type { McpContext } from '../protocol/context.js';
import type { Definition, Fault, Handler } from '../protocol/catalog/entries.js';
import { SchemaFault } from '../schema/schema-fault.js';

const KINDS: readonly string[] = ['tool', 'resource', 'template', 'prompt', 'completion'] satisfies HandlerKind[];

type Method = (...values: unknown[]) => unknown;

/** What became of programmatic entries. */
export interface Compiled {
  readonly definitions: readonly Definition[];
  readonly faults: readonly Fault[];
}

export interface EntryTools {
  /** Runs tools that have no handler. */
  readonly dispatch?: (name: string, args: Record<string, unknown>, context: McpContext) => unknown;
  /** Makes a handler of the function of an entry. */
  readonly handlerOf: (parts: {
    readonly kind: HandlerKind;
    readonly name: string;
    readonly method: Method;
  }) => Handler;
}

/** The option `dispatch`, bound to its context. Nothing need be known of the options yet. */
export function dispatchOf(options: Partial<McpModuleOptions> | undefined): Pick<EntryTools, 'dispatch'> {
  const { dispatch, dispatchContext } = options ?? {};
  if (typeof dispatch !== 'function') return {};
  return { dispatch: (name, args, context) => dispatch(name, args, context, dispatchContext) };
}

/** Makes definitions of entries that are no decorated methods, by the same path as the methods'. */
export async function compileEntries(entries: readonly McpEntry[], tools: EntryTools): Promise<Compiled> {
  const definitions: Definition[] = [];
  const faults: Fault[] = [];
  for (const entry of entries) {
    const source = sourceOf(entry);
    try {
      definitions.push(await define(entry, source, tools));
    } catch (error) {
      if (!(error instanceof DiscoveryFault || error instanceof SchemaFault)) throw error;
      faults.push({ source, message: error.message });
    }
  }
  return { definitions, faults };
}

async function define(entry: McpEntry, source: string, tools: EntryTools): Promise<Definition> {
  if (!KINDS.includes(entry.kind)) throw new DiscoveryFault(`kind must be one of ${KINDS.join(', ')}`);
  const { kind, handler: _handler, ...options } = entry;
  const method = methodOf(entry, tools);
  // The members beside kind and handler are the options of that kind.
  const declaration = { kind, options, key: 'handler', method } as Declaration;
  const name = declaredName(declaration);
  const parts = { source, name, parameters: [], prototype: Object.prototype };
  const described = await describeEntry(declaration, parts);
  return { ...described, handler: tools.handlerOf({ kind, name, method }) } as Definition;
}

function methodOf(entry: McpEntry, { dispatch }: EntryTools): Method {
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
