import type { ApplicationConfig, ContextId, ExternalContextCreator } from '@nestjs/core';
import { boundEnhancers, inheritMetadata, type BoundEnhancer, type HostEnhancers } from './enhancers.js';
import { directRun } from './direct-run.js';
import { DiscoveryFault } from './discovery-fault.js';
import type { HandlerIdentity } from './handler-call.js';
import type { HandlerHost } from './handler-host.js';
import { ArgumentFactory, hasOwnEntries, type HandlerValues, type ParameterEntries } from './handler-parameters.js';
import { configView, contextCreator, type GlobalGuards } from './nest-view.js';

type Method = (...values: unknown[]) => unknown;

export interface PipelineParts {
  readonly host: HandlerHost;
  readonly enhancers: HostEnhancers;
  readonly identity: HandlerIdentity;
  readonly key: string;
  /** The function as it was when decorated. */
  readonly declared: object;
  readonly parameters: ParameterEntries;
  readonly config: ApplicationConfig;
  readonly globalGuards: GlobalGuards;
}

/** Guards, interceptors, pipes and the method, as Nest makes one function of them. */
export interface Pipeline {
  readonly run: (...values: HandlerValues) => Promise<unknown>;
  /** The function it ends in. */
  readonly method: unknown;
  /** A guard may refuse before the method is reached. */
  readonly guarded: boolean;
  readonly filtered: boolean;
}

/** Makes the pipelines of one handler: once for a static host, for each call otherwise. */
export class PipelineCreator {
  readonly #factory: ArgumentFactory;
  readonly #parametersKey: string;
  readonly #creators = new Map<boolean, ExternalContextCreator>();
  readonly #guardsView: ApplicationConfig;

  constructor(private readonly parts: PipelineParts) {
    const { identity, host, parameters, key, config, globalGuards } = parts;
    this.#factory = new ArgumentFactory(identity.kind);
    // One key for each role: a method may be a tool and a completion, with different parameters.
    this.#parametersKey = `nestjs-mcp:parameters-of-${identity.kind}`;
    this.#guardsView = configView(config, { globalGuards, marksGuards: false });
    Reflect.defineMetadata(this.#parametersKey, parameters, host.classRef, key);
  }

  /** Sees to it at boot that every enhancer will run. Throws a `DiscoveryFault` where one cannot. */
  async prepare(): Promise<void> {
    const { host, enhancers, parameters } = this.parts;
    const method = this.#methodOf(host.isStatic ? (host.wrapper.instance as object) : host.prototype);
    await enhancers.prepare(this.#bound(method));
    await enhancers.prepare(
      Object.values(parameters).flatMap(({ pipes }) =>
        pipes.map((enhancer) => ({ list: '__pipes__', enhancer }) as const),
      ),
    );
  }

  create(instance: object, contextId?: ContextId): Pipeline {
    const { host, enhancers, key } = this.parts;
    const method = this.#methodOf(instance);
    const bound = this.#bound(method);
    const guarded = this.#isGuarded(bound);
    const filtered = bound.some(({ list }) => list === '__exceptionFilters__');
    const bare = bound.length === 0 && !guarded;
    const direct = bare ? directRun(instance, method, [this.parts.parameters, this.#factory]) : undefined;
    if (direct !== undefined) return { run: direct, method, guarded, filtered };
    const run = this.#creator(guarded && this.#needsMarker(bound)).create(
      instance as Record<string, Method>,
      method,
      key,
      this.#parametersKey,
      this.#factory,
      contextId,
      host.wrapper.id,
      { guards: true, interceptors: true, filters: filtered },
      'mcp',
    );
    enhancers.assertServed(bound);
    return { run, method, guarded, filtered };
  }

  #methodOf(holder: object): Method {
    const method: unknown = Reflect.get(holder, this.parts.key);
    if (typeof method !== 'function') throw new DiscoveryFault('is not a method');
    if (method !== this.parts.declared) inheritMetadata(this.parts.declared, method);
    return method as Method;
  }

  #bound(method: Method): readonly BoundEnhancer[] {
    return boundEnhancers(this.parts.host.classRef, method);
  }

  #isGuarded(bound: readonly BoundEnhancer[]): boolean {
    return (
      bound.some(({ list }) => list === '__guards__') ||
      this.#guardsView.getGlobalGuards().length > 0 ||
      this.#guardsView.getGlobalRequestGuards().length > 0
    );
  }

  /** Without interceptors the first parameter marks that the guards have passed, which costs nothing. */
  #needsMarker(bound: readonly BoundEnhancer[]): boolean {
    return bound.some(({ list }) => list === '__interceptors__') || !hasOwnEntries(this.parts.parameters);
  }

  #creator(marksGuards: boolean): ExternalContextCreator {
    let creator = this.#creators.get(marksGuards);
    if (creator === undefined) {
      const { config, globalGuards, host, enhancers } = this.parts;
      creator = contextCreator(configView(config, { globalGuards, marksGuards }), host, enhancers);
      this.#creators.set(marksGuards, creator);
    }
    return creator;
  }
}
