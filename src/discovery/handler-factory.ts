import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, ContextIdFactory } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Declaration } from '../decorators/metadata.js';
import type { ParameterDeclaration } from '../decorators/parameters.js';
import { RESPONSE, type McpContext } from '../protocol/context.js';
import type { Handler } from '../protocol/catalog/entries.js';
import { DiscoveryFault } from './discovery-fault.js';
import { HostEnhancers } from './enhancers.js';
import { HandlerCall, type HandlerIdentity } from './handler-call.js';
import type { HandlerHost } from './handler-host.js';
import { parameterEntries } from './handler-parameters.js';
import type { GlobalGuards } from './nest-view.js';
import { PipelineCreator, type Pipeline } from './pipeline-creator.js';
import { toRefusal } from './refusals.js';

export interface HandlerParts {
  readonly host: HandlerHost;
  readonly declaration: Declaration;
  readonly name: string;
  readonly parameters: readonly ParameterDeclaration[];
  readonly globalGuards: GlobalGuards;
}

/** Makes handlers of declared methods: guards, interceptors, pipes and filters around them, whatever provides them. */
@Injectable()
export class HandlerFactory {
  readonly #enhancers = new WeakMap<object, HostEnhancers>();

  constructor(@Inject(ApplicationConfig) private readonly config: ApplicationConfig) {}

  /** Throws a `DiscoveryFault` when the method could not be called as its author meant it. */
  async create({ host, declaration, name, parameters, globalGuards }: HandlerParts): Promise<Handler> {
    const { kind, key, method } = declaration;
    if (typeof key !== 'string') throw new DiscoveryFault('a method named by a symbol cannot be a handler');
    if (typeof method !== 'function') throw new DiscoveryFault('is not a method');
    const identity: HandlerIdentity = Object.freeze({ kind, name });
    const creator = new PipelineCreator({
      host,
      enhancers: this.#enhancersOf(host),
      identity,
      key,
      declared: method,
      parameters: parameterEntries(kind, parameters, [host.prototype, key]),
      config: this.config,
      globalGuards,
    });
    await creator.prepare();
    const perCall = !host.isStatic || (globalGuards === 'both' && this.config.getGlobalRequestGuards().length > 0);
    return perCall
      ? this.#scoped(host, identity, [creator, globalGuards])
      : this.#static(host, identity, [creator, key]);
  }

  #enhancersOf(host: HandlerHost): HostEnhancers {
    let enhancers = this.#enhancers.get(host.wrapper);
    if (enhancers === undefined) {
      enhancers = new HostEnhancers(host);
      this.#enhancers.set(host.wrapper, enhancers);
    }
    return enhancers;
  }

  #static(host: HandlerHost, identity: HandlerIdentity, [creator, key]: readonly [PipelineCreator, string]): Handler {
    const instance = host.wrapper.instance as Readonly<Record<string, unknown>>;
    const unguarded = new HandlerCall(identity, true);
    let pipeline = creator.create(instance);
    return async (args, context) => {
      // A method may be replaced while the application runs, e.g. by a spy.
      if (instance[key] !== pipeline.method) pipeline = creator.create(instance);
      return invoke(pipeline, [args, context], pipeline.guarded ? new HandlerCall(identity, false) : unguarded);
    };
  }

  /** A request-scoped, transient or durable host, or request-scoped global guards: everything is resolved for the call. */
  #scoped(
    { wrapper, moduleRef }: HandlerHost,
    identity: HandlerIdentity,
    [creator, globalGuards]: readonly [PipelineCreator, GlobalGuards],
  ): Handler {
    const guards = globalGuards === 'both' ? this.config.getGlobalRequestGuards() : [];
    return async (args, context) => {
      const { request } = context;
      const contextId = ContextIdFactory.getByRequest(request as object);
      moduleRef.registerRequestByContextId(request, contextId);
      // Unless resolved before, a request-scoped global guard would run on an object whose constructor never ran.
      for (const guard of guards) await resolving(moduleRef.resolve(guard.token as symbol, contextId, ANYWHERE), false);
      const instance = await resolving(moduleRef.resolve<object>(wrapper.token as symbol, contextId), true);
      const pipeline = creator.create(instance, contextId);
      return invoke(pipeline, [args, context], new HandlerCall(identity, !pipeline.guarded));
    };
  }
}

const ANYWHERE = { strict: false } as const;

/** A constructor may refuse a call like a method or guard does. */
async function resolving<T>(instance: Promise<T>, guardsPassed: boolean): Promise<T> {
  try {
    return await instance;
  } catch (error) {
    throw toRefusal(error, guardsPassed);
  }
}

async function invoke(
  { run, filtered }: Pipeline,
  [args, context]: readonly [unknown, McpContext],
  call: HandlerCall,
): Promise<unknown> {
  try {
    const result = await run(context.request, context[RESPONSE], args, context, call);
    // Nest flattens what a method returns, not what a filter does.
    return filtered && isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result;
  } catch (error) {
    throw toRefusal(error, call.guardsPassed);
  }
}
