import { randomUUID } from 'node:crypto';
import { changesOf, extended, without } from '../entries/catalog-edit.js';
import type { Compiled } from '../entries/entry-compiler.js';
import { CatalogSources, type SourceFor } from '../entries/catalog-sources.js';
import { observeWith, type ObserverFor } from '../telemetry/call-observation.js';
import type { DoorKeeper } from '../guards/door.guard.js';
import type { DoorRules } from '../guards/door.middleware.js';
import type { McpCatalogItem } from '../entries/mcp-catalog.js';
import type { McpEntry } from '../entries/mcp-entries.js';
import type { McpModuleOptions, McpRawBodyCheck } from '../options/mcp-options.js';
import { CatalogFault, type Catalog } from '../protocol/catalog/catalog.js';
import type { ListedKind } from '../protocol/catalog/catalog-entries.js';
import { callTelemetry, openTelemetryApi } from '../telemetry/open-telemetry.js';
import { wrapped } from './core-wrapping.js';
import { exposed } from '../entries/exposure.js';
import type { ProtocolServer } from '../protocol/call.js';
import type { Change, ChangeBus } from '../protocol/changes.js';
import type { Definition } from '../protocol/catalog/entries.js';
import type { Gate } from '../protocol/gate.js';
import type { McpLogger } from '../protocol/logger.js';
import { McpCore } from '../protocol/server.js';
import type { Visibility } from '../protocol/server-options.js';
import type { Sources } from '../protocol/catalog/sourced-entries.js';
import { compileForm } from '../schema/form-schema.js';
import {
  after,
  cacheHintsOf,
  callLimitsOf,
  httpLimitsOf,
  pageSizesOf,
  revisionsOf,
  sessionsOf,
  tasksOf,
} from '../options/server-settings.js';
import { identityOf, serverNameOf } from './server-identities.js';
import { InProcessChangeBus } from '../session/change-bus.js';
import { SealedState } from '../session/sealed-state.js';
import type { Sessions } from '../session/sessions.js';
import { HttpEndpoint } from '../transport/http/endpoint.js';
import { hostRule } from '../transport/http/host.js';
import { originRule } from '../transport/http/origin.js';

export interface RunningServerParts {
  readonly options: McpModuleOptions;
  readonly catalog: Catalog;
  readonly logger: McpLogger;
  /** The application answers HTTP. */
  readonly http: boolean;
  readonly compile: (entries: readonly McpEntry[]) => Promise<Compiled>;
  readonly keepers: readonly DoorKeeper[];
  readonly visibility?: Visibility;
  readonly gate?: Gate;
  readonly observers: readonly ObserverFor[];
  readonly sources?: readonly SourceFor[];
  readonly rawBody?: McpRawBodyCheck['verify'];
}

const QUESTION_TIMEOUT_MS = 300_000;

/** A server that has started. */
export class RunningServer {
  readonly keepers: readonly DoorKeeper[];
  readonly options: McpModuleOptions;
  readonly logger: McpLogger;
  readonly bus: ChangeBus;
  /** The core with what the host put around it: what transports speak to. */
  readonly protocol: ProtocolServer;
  readonly #core: McpCore;
  readonly #catalog: Catalog;
  readonly #compile: RunningServerParts['compile'];
  readonly #http: { readonly endpoint: HttpEndpoint; readonly door: DoorRules } | undefined;
  readonly #closers: (() => Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  constructor(parts: RunningServerParts) {
    const { options, catalog, logger, visibility } = parts;
    this.keepers = parts.keepers;
    this.options = options;
    this.logger = logger;
    this.#catalog = catalog;
    this.#compile = parts.compile;
    this.bus = options.bus ?? new InProcessChangeBus(logger);
    const tasks = tasksOf(options.tasks);
    const api = openTelemetryApi();
    const identity = identityOf(options.server);
    this.#core = new McpCore({
      ...identity,
      revisions: revisionsOf(options.revisions),
      catalog,
      pageSizes: pageSizesOf(options.pageSize),
      cache: cacheHintsOf(options.cache),
      logger,
      ...(visibility === undefined ? {} : { visibility }),
      skills: options.skills !== undefined,
      bus: this.bus,
      tasks,
      sealer: new SealedState({
        ...(options.stateKeys === undefined ? {} : { keys: options.stateKeys }),
        ...(options.nonces === undefined ? {} : { nonces: options.nonces }),
      }),
      compileForm,
      newId: randomUUID,
      defer: (run) => void setImmediate(run),
      questionTimeoutMs: options.questionTimeoutMs ?? QUESTION_TIMEOUT_MS,
      confirmTimeoutMs: options.confirmTimeoutMs ?? QUESTION_TIMEOUT_MS,
      ...(parts.gate === undefined ? {} : { gate: parts.gate }),
      ...sourcesOf(parts),
      limits: callLimitsOf(options.limits),
      after,
      observe: observeWith({
        server: serverNameOf(identity),
        observers: parts.observers,
        telemetry: api === undefined ? undefined : callTelemetry(api),
        logger,
      }),
    });
    this.protocol = wrapped(this.#core, options.core);
    this.onClose(async () => {
      await this.#core.close();
      tasks.close();
    });
    this.#http = parts.http ? this.#openHttp(sessionsOf(options.sessions, logger), parts.rawBody) : undefined;
  }

  /** Answers HTTP requests that passed the door. Only applications with an HTTP server have one. */
  get endpoint(): HttpEndpoint {
    if (this.#http === undefined) throw new Error('The application serves no HTTP');
    return this.#http.endpoint;
  }

  get door(): DoorRules {
    if (this.#http === undefined) throw new Error('The application serves no HTTP');
    return this.#http.door;
  }

  /** True once the application began to shut down. */
  get closing(): boolean {
    return this.#closing !== undefined;
  }

  /** Adds entries to the running catalog, or throws `CatalogFault` and changes nothing. */
  async extend(entries: readonly McpEntry[], replacing: boolean): Promise<void> {
    const { definitions, faults } = await this.#compile(entries);
    if (faults.length > 0) throw new CatalogFault(faults);
    const offered = exposed(definitions, this.options.expose);
    this.#change(extended(this.#catalog.current.definitions, offered, replacing));
  }

  remove(kind: ListedKind, key: string): boolean {
    const { definitions } = this.#catalog.current;
    const rest = without(definitions, kind, key);
    if (rest.length === definitions.length) return false;
    this.#change(rest);
    return true;
  }

  items(): readonly McpCatalogItem[] {
    const { tool, resource, template, prompt } = this.#catalog.current.sections;
    const entries = [...tool.all, ...resource.all, ...template.all, ...prompt.all];
    return entries.map(({ kind, key, definition: { source, title, description } }) => ({
      kind,
      key,
      source,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
    }));
  }

  publish(change: Change): void {
    Promise.resolve(this.bus.publish(change)).catch((error: unknown) => {
      this.logger.error('The change bus failed', error);
    });
  }

  /** Runs when the application shuts down, before it waits for open connections. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all(this.#closers.map((close) => close())).then(() => undefined);
    return this.#closing;
  }

  #openHttp(
    sessions: Sessions | undefined,
    rawBody: RunningServerParts['rawBody'],
  ): { readonly endpoint: HttpEndpoint; readonly door: DoorRules } {
    const { options, protocol, logger } = this;
    const { limits, keepAliveMs, drainMs } = options;
    const endpoint = new HttpEndpoint({
      server: protocol,
      logger,
      limits: httpLimitsOf(limits),
      ...(sessions === undefined ? {} : { sessions }),
      ...(rawBody === undefined ? {} : { rawBody }),
      ...(limits?.streams === undefined ? {} : { maxStreams: limits.streams }),
      ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
      ...(drainMs === undefined ? {} : { drainMs }),
    });
    if (sessions !== undefined) this.bus.subscribe((change) => sessions.deliver(change));
    this.onClose(() => endpoint.close());
    const door: DoorRules = {
      origins: originRule(options.allowedOrigins),
      hosts: hostRule(options.allowedHosts),
      allow: endpoint.allow,
      get parameterHeaders() {
        return protocol.parameterHeaders;
      },
      logger,
    };
    return { endpoint, door };
  }

  #change(definitions: readonly Definition[]): void {
    const before = this.#catalog.current.definitions;
    for (const { source, message } of this.#catalog.replace(definitions)) this.logger.warn(`${source}: ${message}`);
    for (const change of changesOf(before, definitions)) this.publish(change);
  }
}

function sourcesOf({ sources = [], compile, logger, options }: RunningServerParts): { readonly sources?: Sources } {
  if (sources.length === 0) return {};
  const asked = new CatalogSources({ sources, compile, logger, expose: options.expose });
  return { sources: (context) => asked.offersFor(context) };
}
