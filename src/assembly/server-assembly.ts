import { Inject, Injectable, Logger, type CanActivate, type Type } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { adapterOf } from '../endpoint/body-deferral.js';
import type { ObserverFor } from '../telemetry/call-observation.js';
import { extended, without } from '../entries/catalog-edit.js';
import type { SourceFor } from '../entries/catalog-sources.js';
import { McpExplorer } from '../discovery/explorer.js';
import { WrappingFault } from './core-wrapping.js';
import { dispatchOf } from '../entries/compile-entries.js';
import { EntryCompiler, type Compiled, type EntrySettings } from '../entries/entry-compiler.js';
import { exposed } from '../entries/exposure.js';
import type { DoorKeeper } from '../guards/door.guard.js';
import { HostClasses, UnresolvableClass, type PerRequest } from './host-classes.js';
import type { McpCatalogSource } from '../entries/mcp-catalog-source.js';
import type { McpEntry } from '../entries/mcp-entries.js';
import type { McpGate, McpModuleOptions, McpRawBodyCheck, McpVisibility } from '../options/mcp-options.js';
import type { McpObserver } from '../telemetry/mcp-observer.js';
import { McpRegistration } from './mcp-registration.js';
import { RunningServer } from './running-server.js';
import { NestLogger } from './nest-logger.js';
import { checkExtras, checkOptions } from '../options/option-check.js';
import { isClassWith } from '../options/option-rules.js';
import { Catalog } from '../protocol/catalog/catalog.js';
import type { Fault } from '../protocol/catalog/entries.js';
import type { Gate } from '../protocol/gate.js';
import type { Visibility } from '../protocol/server-options.js';
import { loadYaml, skillDefinitions } from '../entries/skill-definitions.js';

export type Assembled =
  | { readonly faults: readonly []; readonly server: RunningServer }
  | { readonly faults: readonly Fault[]; readonly server?: never };

type RawBodyCheck = McpRawBodyCheck['verify'];

/** Makes a server of a registration: options judged, handlers found, classes taken from the container. */
@Injectable()
export class ServerAssembly {
  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    private readonly explorer: McpExplorer,
    private readonly compiler: EntryCompiler,
  ) {}

  /** Collects everything that is wrong rather than stop at the first. */
  async assemble(registration: McpRegistration, entries: readonly McpEntry[]): Promise<Assembled> {
    const faults: Fault[] = [...this.#judge(registration)];
    const optionsFit = faults.length === 0;
    // Judged already; until then only what cannot be misread is looked at.
    const options = registration.options as McpModuleOptions;
    const settings = settingsOf(options);
    const skills = optionsFit ? options.skills : undefined;
    const { definitions, ...found } = await this.#find(registration, entries, { settings, skills });
    faults.push(...found.faults);
    const named = optionsFit ? await this.#classes(registration, options, faults) : undefined;
    const report = Catalog.build(optionsFit ? exposed(definitions, options.expose) : definitions);
    faults.push(...report.faults);
    if (faults.length > 0 || named === undefined || report.catalog === undefined) return { faults };
    const http = adapterOf(this.adapterHost) !== undefined;
    const logger = new NestLogger(new Logger(registration.extras.name ?? 'Mcp'));
    if (http && options.stateKeys === undefined) {
      logger.warn('option "stateKeys" is not set: what this process seals no other instance can open');
    }
    for (const { source, message } of report.warnings) logger.warn(`${source}: ${message}`);
    const compile = (added: readonly McpEntry[]): Promise<Compiled> => this.compiler.compile(added, settings);
    try {
      return {
        faults: [],
        server: new RunningServer({ options, catalog: report.catalog, logger, http, compile, ...named }),
      };
    } catch (error) {
      if (!(error instanceof WrappingFault)) throw error;
      return { faults: [{ source: registration.source, message: error.message }] };
    }
  }

  #judge({ options, extras, source }: McpRegistration): readonly Fault[] {
    const { path, include, name, strangers } = extras;
    const faults = [...checkOptions(options, source), ...checkExtras({ path, include, name, ...strangers }, source)];
    if (!Array.isArray(include)) return faults;
    const known = new Set([...this.modules.values()].map(({ metatype }) => metatype));
    const missing = include.filter((module) => typeof module === 'function' && !known.has(module));
    return [
      ...faults,
      ...missing.map((module) => ({
        source,
        message: `option "include" names ${module.name}, which is not a module of this application`,
      })),
    ];
  }

  /** Decorated methods, skills, entries of `forFeature`, and what the host changed before the start. */
  async #find(
    { extras, edits, source }: McpRegistration,
    entries: readonly McpEntry[],
    { settings, skills }: { readonly settings: EntrySettings; readonly skills: McpModuleOptions['skills'] },
  ): Promise<Compiled> {
    const include = Array.isArray(extras.include) ? extras.include : undefined;
    const { globalGuards } = settings;
    const explored = await this.explorer.explore({ ...(include === undefined ? {} : { include }), globalGuards });
    const faults = [...explored.faults];
    let definitions = explored.definitions;
    if (skills !== undefined) {
      const compile = (files: readonly McpEntry[]): Promise<Compiled> => this.compiler.compile(files, settings);
      const found = await skillDefinitions({ options: skills, source, yaml: loadYaml, compile });
      definitions = extended(definitions, found.definitions, false);
      faults.push(...found.faults);
    }
    for (const edit of [{ entries, replacing: false }, ...edits]) {
      if ('kind' in edit) {
        definitions = without(definitions, edit.kind, edit.key);
        continue;
      }
      const compiled = await this.compiler.compile(edit.entries, settings);
      definitions = extended(definitions, compiled.definitions, edit.replacing);
      faults.push(...compiled.faults);
    }
    return { definitions, faults };
  }

  /** Instances of the classes named in the options. */
  async #classes(
    registration: McpRegistration,
    { guards, visibility, rawBody, gate, observers = [], sources = [] }: McpModuleOptions,
    faults: Fault[],
  ): Promise<NamedClasses> {
    const { moduleRef, source } = registration;
    const classes = new HostClasses(
      this.modules,
      moduleRef,
      (module) => module.getProviderByKey(McpRegistration)?.instance === registration,
    );
    const find = async <T extends object>(type: Type<T>, option: string): Promise<PerRequest<T>> => {
      try {
        return await classes.find(type);
      } catch (error) {
        if (!(error instanceof UnresolvableClass)) throw error;
        faults.push({ source, message: `option "${option}": ${error.message}` });
        // Never called: a server with faults is not started.
        return () => Promise.reject(error);
      }
    };
    const keepers: DoorKeeper[] = [];
    for (const [index, guard] of (guards === 'none' ? [] : guards).entries()) {
      keepers.push(typeof guard === 'function' ? await find<CanActivate>(guard, `guards[${index}]`) : () => guard);
    }
    const watching: ObserverFor[] = [];
    for (const [index, observer] of observers.entries()) watching.push(await asObserver(observer, index, find));
    const giving: SourceFor[] = [];
    for (const [index, source] of sources.entries()) giving.push(await asSource(source, index, find));
    return {
      keepers,
      observers: watching,
      sources: giving,
      ...(visibility === undefined ? {} : { visibility: await asVisibility(visibility, find) }),
      ...(rawBody === undefined ? {} : { rawBody: await asRawBodyCheck(rawBody, find) }),
      ...(gate === undefined ? {} : { gate: await asGate(gate, find) }),
    };
  }
}

export interface NamedClasses {
  readonly keepers: readonly DoorKeeper[];
  readonly visibility?: Visibility;
  readonly rawBody?: RawBodyCheck;
  readonly gate?: Gate;
  readonly observers: readonly ObserverFor[];
  readonly sources: readonly SourceFor[];
}

/** Nothing is known of the options yet. */
function settingsOf(options: Partial<McpModuleOptions> | undefined): EntrySettings {
  return { globalGuards: options?.globalGuards ?? 'both', ...dispatchOf(options) };
}

type Find = <T extends object>(type: Type<T>, option: string) => Promise<PerRequest<T>>;

async function asVisibility(given: NonNullable<McpModuleOptions['visibility']>, find: Find): Promise<Visibility> {
  if (!isClassWith(given, 'isVisible')) return given as McpVisibility['isVisible'];
  const instanceFor = await find(given as Type<McpVisibility>, 'visibility');
  return async (entry, context) => (await instanceFor(context.request as object)).isVisible(entry, context);
}

async function asGate(given: NonNullable<McpModuleOptions['gate']>, find: Find): Promise<Gate> {
  if (!isClassWith(given, 'decide')) return given as Gate;
  const instanceFor = await find(given as Type<McpGate>, 'gate');
  return async (context, tool, args) => (await instanceFor(context.request as object)).decide(context, tool, args);
}

async function asObserver(given: Type<McpObserver> | McpObserver, index: number, find: Find): Promise<ObserverFor> {
  if (typeof given !== 'function') return () => (event) => given.onCall(event);
  const instanceFor = await find(given, `observers[${index}]`);
  return (request) => {
    const found = instanceFor(request);
    return found instanceof Promise
      ? found.then((observer) => (event) => observer.onCall(event))
      : (event) => found.onCall(event);
  };
}

async function asSource(
  given: Type<McpCatalogSource> | McpCatalogSource,
  index: number,
  find: Find,
): Promise<SourceFor> {
  const at = `sources[${index}]`;
  if (typeof given !== 'function') return { name: at, find: () => given };
  return { name: given.name === '' ? at : given.name, find: await find(given, at) };
}

async function asRawBodyCheck(given: NonNullable<McpModuleOptions['rawBody']>, find: Find): Promise<RawBodyCheck> {
  if (!isClassWith(given, 'verify')) return given as RawBodyCheck;
  const instanceFor = await find(given as Type<McpRawBodyCheck>, 'rawBody');
  return async (request, bytes) => (await instanceFor(request)).verify(request, bytes);
}
