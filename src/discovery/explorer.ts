import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { declarationsOf, type Declaration } from '../decorators/metadata.js';
import { parametersOf } from '../decorators/parameters.js';
import type { Definition, Fault } from '../protocol/catalog/entries.js';
import { SchemaFault } from '../schema/schema-fault.js';
import { declaredName, describeEntry } from './definitions.js';
import { DiscoveryFault } from './discovery-fault.js';
import { HandlerFactory } from './handler-factory.js';
import { declaredHandlers, HandlerHost, prototypeOf, type InstanceWrapper } from './handler-host.js';
import type { GlobalGuards } from './nest-view.js';

export interface ExploreOptions {
  /** Modules whose providers and controllers are looked at; default all. */
  readonly include?: readonly Type[];
  /** Whether global guards run on handlers as well as on the endpoint. Default `both`. */
  readonly globalGuards?: GlobalGuards;
}

/** What was found, and everything that cannot be offered. */
export interface Exploration {
  readonly definitions: readonly Definition[];
  readonly faults: readonly Fault[];
}

/** Finds the handlers that providers and controllers declare. Runs at bootstrap, once for each server. */
@Injectable()
export class McpExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly handlers: HandlerFactory,
  ) {}

  async explore({ include, globalGuards = 'both' }: ExploreOptions = {}): Promise<Exploration> {
    const definitions: Definition[] = [];
    const faults: Fault[] = [];
    for (const [prototype, wrapper] of this.#hosts(include)) {
      faults.push(...staticMethods(prototype));
      const declared = declaredHandlers(prototype);
      if (declared.length === 0) continue;
      const host = new HandlerHost(wrapper, prototype);
      for (const declaration of declared) {
        const { definition, messages } = await this.#define(host, declaration, globalGuards);
        if (definition !== undefined) definitions.push(definition);
        const source = sourceOf(prototype, declaration.key);
        faults.push(...messages.map((message) => ({ source, message })));
      }
    }
    return { definitions, faults };
  }

  /** One wrapper for each class, however many modules provide it. */
  #hosts(include: readonly Type[] | undefined): ReadonlyMap<object, InstanceWrapper> {
    const hosts = new Map<object, InstanceWrapper>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      // An alias stands for a provider that is found under its own token.
      if (wrapper.isAlias || wrapper.host === undefined) continue;
      if (include !== undefined && !include.some((module) => module === wrapper.host?.metatype)) continue;
      const prototype = prototypeOf(wrapper);
      if (prototype !== undefined && !hosts.has(prototype)) hosts.set(prototype, wrapper);
    }
    return hosts;
  }

  /** The definition, or everything that stands in its way. */
  async #define(
    host: HandlerHost,
    declaration: Declaration,
    globalGuards: GlobalGuards,
  ): Promise<{ readonly definition?: Definition; readonly messages: readonly string[] }> {
    const { prototype } = host;
    const parameters = parametersOf(prototype, declaration.key);
    const name = declaredName(declaration);
    const source = sourceOf(prototype, declaration.key);
    const [handler, entry] = await Promise.allSettled([
      this.handlers.create({ host, declaration, name, parameters, globalGuards }),
      describeEntry(declaration, { source, name, parameters, prototype }),
    ]);
    if (handler.status === 'fulfilled' && entry.status === 'fulfilled') {
      return { definition: { ...entry.value, handler: handler.value }, messages: [] };
    }
    return {
      messages: [handler, entry].flatMap((settled) =>
        settled.status === 'rejected' ? [faultText(settled.reason)] : [],
      ),
    };
  }
}

function sourceOf({ constructor }: object, key: string | symbol): string {
  return `${constructor.name}.${String(key)}`;
}

function faultText(error: unknown): string {
  if (error instanceof DiscoveryFault || error instanceof SchemaFault) return error.message;
  throw error;
}

function staticMethods(prototype: object): readonly Fault[] {
  const { constructor } = prototype;
  return declarationsOf(constructor).map(({ key }) => ({
    source: sourceOf(constructor.prototype as object, key),
    message: 'is static; a handler is a method of an instance',
  }));
}
