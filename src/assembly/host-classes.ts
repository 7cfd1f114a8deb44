import { Scope, type Type } from '@nestjs/common';
import { ContextIdFactory, ModuleRef, type ModulesContainer } from '@nestjs/core';

/** The instance for one request; the same one for every request when its class is static. */
export type PerRequest<T> = (request: object) => T | Promise<T>;

/** A class named in the options whose instances cannot be had; the message is Nest's. */
export class UnresolvableClass extends Error {
  override readonly name = 'UnresolvableClass';
}

const ANYWHERE = { strict: false } as const;

/**
 * Instances of the classes named in the options: the container's when it provides them, else created as `@UseGuards`
 * would create them, with what the module can see that imports ours, or with the `imports` given beside the options.
 */
export class HostClasses {
  readonly #own: ModuleRef;
  readonly #creators: readonly ModuleRef[];

  /** `isOurs` finds the module of this registration. */
  constructor(modules: ModulesContainer, own: ModuleRef, isOurs: (module: NestModule) => boolean) {
    this.#own = own;
    const all = [...modules.values()];
    const ours = all.find(isOurs);
    const importing = all.filter((module) => ours !== undefined && module.imports.has(ours));
    this.#creators = [...importing.map(moduleRefOf), own].filter((moduleRef) => moduleRef !== undefined);
  }

  /** Throws `UnresolvableClass`. */
  async find<T extends object>(type: Type<T>): Promise<PerRequest<T>> {
    const scope = this.#scopeOf(type);
    if (scope === Scope.REQUEST) {
      return (request) => {
        const contextId = ContextIdFactory.getByRequest(request);
        this.#own.registerRequestByContextId(request, contextId);
        return this.#own.resolve<T>(type, contextId, ANYWHERE);
      };
    }
    const instance =
      scope === undefined
        ? await this.#create(type)
        : scope === Scope.TRANSIENT
          ? await this.#own.resolve<T>(type, undefined, ANYWHERE)
          : this.#own.get<T>(type, ANYWHERE);
    return () => instance;
  }

  /** Undefined when no module provides the class. */
  #scopeOf(type: Type): Scope | undefined {
    try {
      return this.#own.introspect(type).scope;
    } catch {
      return undefined;
    }
  }

  async #create<T extends object>(type: Type<T>): Promise<T> {
    let first: unknown;
    for (const creator of this.#creators) {
      try {
        return await creator.create(type);
      } catch (error) {
        first ??= error;
      }
    }
    throw new UnresolvableClass(messageOf(type, first));
  }
}

/** Nest's record of a module. */
export type NestModule = ModulesContainer extends Map<string, infer M> ? M : never;

function moduleRefOf(module: NestModule): ModuleRef | undefined {
  const instance: unknown = module.getProviderByKey(ModuleRef)?.instance;
  return instance instanceof ModuleRef ? instance : undefined;
}

function messageOf(type: Type, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  // Nest says only that a request-scoped class cannot be created this way.
  const cure = /request-scoped/i.test(reason) ? ' (add it to the providers of a module)' : '';
  return `${type.name} cannot be created${cure}: ${reason}`;
}
