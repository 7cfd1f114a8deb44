import type { Readable } from 'node:stream';
import { compileEntries, dispatchOf, type Compiled } from '../entries/compile-entries.js';
import { exposed } from '../entries/exposure.js';
import { McpBootError } from './mcp-boot-error.js';
import { McpCatalog } from '../entries/mcp-catalog.js';
import type { McpEntry } from '../entries/mcp-entries.js';
import { McpNotifier } from './mcp-notifier.js';
import type { McpModuleOptions } from '../options/mcp-options.js';
import { RunningServer } from './running-server.js';
import { nodeHandler, type NodeHandler } from '../endpoint/node-handler.js';
import { openPipe, type PipeOptions } from './open-pipe.js';
import { WrappingFault } from './core-wrapping.js';
import { Catalog } from '../protocol/catalog/catalog.js';
import type { CompletionInput, Fault, Handler } from '../protocol/catalog/entries.js';
import { checkServerOptions, type McpServerOptions } from '../options/mcp-server-options.js';
import { loadYaml, skillDefinitions } from '../entries/skill-definitions.js';
import { stderrLogger } from './stderr-logger.js';
import type { PipeOutput } from '../transport/stdio/outbox.js';

/** @internal Where the server behind it is kept. */
export const RUNNING: unique symbol = Symbol('nestjs-mcp:running');

const SOURCE = 'McpServer.create';

/**
 * A server without an application around it: entries instead of decorated methods, one function instead of guards. It
 * does everything that `McpModule` does, and loads no part of Nest.
 */
export class McpServer {
  /** What is offered, and how to change it. */
  readonly catalog: McpCatalog;
  /** Tells clients of changes that the catalog does not know of. */
  readonly notifier: McpNotifier;
  readonly #options: McpServerOptions;
  /** @internal */
  readonly [RUNNING]: RunningServer;

  private constructor(server: RunningServer, options: McpServerOptions) {
    this[RUNNING] = server;
    this.#options = options;
    const host = {
      edit: ({ entries, replacing }: { readonly entries: readonly McpEntry[]; readonly replacing: boolean }) =>
        server.extend(entries, replacing),
      remove: server.remove.bind(server),
      items: () => server.items(),
      publish: (change: Parameters<RunningServer['publish']>[0]) => server.publish(change),
    };
    this.catalog = new McpCatalog(() => host);
    this.notifier = new McpNotifier(() => host);
  }

  /** Rejects with one `McpBootError` that names everything that is wrong. */
  static async create(options: McpServerOptions): Promise<McpServer> {
    const faults: Fault[] = [...checkServerOptions(options, SOURCE)];
    const tools = { handlerOf, ...dispatchOf(options) };
    const compile: Compile = (added) => compileEntries(added, tools);
    const given: Offered = faults.length === 0 ? options : { entries: entriesIn(options) };
    const { definitions, faults: unusable } = await offeredBy(given, compile);
    const report = Catalog.build(exposed(definitions, given.expose));
    faults.push(...unusable, ...report.faults);
    if (faults.length > 0 || report.catalog === undefined) throw new McpBootError(faults);
    const { logger = stderrLogger, visibility, rawBody, gate, observers = [], sources = [] } = options;
    for (const { source, message } of report.warnings) logger.warn(`${source}: ${message}`);
    try {
      const server = new RunningServer({
        options: asModuleOptions(options),
        catalog: report.catalog,
        logger,
        http: true,
        compile,
        keepers: [],
        sources: sources.map((source, index) => ({ name: `sources[${index}]`, find: () => source })),
        observers: observers.map((observer) => () => (event) => observer.onCall(event)),
        ...(visibility === undefined ? {} : { visibility }),
        ...(rawBody === undefined ? {} : { rawBody }),
        ...(gate === undefined ? {} : { gate }),
      });
      return new McpServer(server, options);
    } catch (error) {
      if (error instanceof WrappingFault) throw new McpBootError([{ source: SOURCE, message: error.message }]);
      throw error;
    }
  }

  /** Serves Streamable HTTP wherever the listener is put; which paths lead to it is the host's to say. */
  toNodeHandler(): NodeHandler {
    const { logger } = this[RUNNING];
    if (this.#options.stateKeys === undefined) {
      logger.warn('option "stateKeys" is not set: what this process seals no other instance can open');
    }
    return nodeHandler(this[RUNNING], this.#options);
  }

  /** Serves one client over a pair of streams, such as stdin and stdout; `closed` settles when it is gone. */
  connect(input: Readable, output: PipeOutput, options: PipeOptions = {}): { readonly closed: Promise<void> } {
    const transport = openPipe(this[RUNNING], { input, output }, options);
    transport.start();
    return { closed: transport.closed };
  }

  /** Lets running calls finish for a while, then ends everything; later requests are answered 503. */
  close(): Promise<void> {
    return this[RUNNING].close();
  }
}

type Compile = (entries: readonly McpEntry[]) => Promise<Compiled>;

/** Nothing is known of the options yet. */
function entriesIn(options: Partial<McpServerOptions> | undefined): readonly McpEntry[] {
  const entries: unknown = options?.entries;
  if (!Array.isArray(entries)) return [];
  return (entries as readonly unknown[]).filter(isEntry);
}

/** Whatever else is wrong with it is found when it is compiled. */
function isEntry(value: unknown): value is McpEntry {
  return typeof value === 'object' && value !== null;
}

type Offered = Pick<McpServerOptions, 'entries' | 'expose' | 'skills'>;

async function offeredBy({ entries, skills }: Offered, compile: Compile): Promise<Compiled> {
  const own = await compile(entries);
  if (skills === undefined) return own;
  const files = await skillDefinitions({ options: skills, source: SOURCE, yaml: loadYaml, compile });
  return {
    definitions: [...own.definitions, ...files.definitions],
    faults: [...own.faults, ...files.faults],
  };
}

const handlerOf: Parameters<typeof compileEntries>[1]['handlerOf'] = ({ kind, method }): Handler =>
  kind === 'completion'
    ? (input, context) => method((input as CompletionInput).value, input, context)
    : (args, context) => method(args, context);

/** The module's options where the two agree; the caller is found before the endpoint is asked. */
function asModuleOptions(given: McpServerOptions): McpModuleOptions {
  const { entries: _e, authenticate: _a, challenge: _c, logger: _l, ...shared } = given;
  return { ...shared, guards: 'none' };
}
