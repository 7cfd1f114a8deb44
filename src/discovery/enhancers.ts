import type { HandlerHost, InstanceWrapper } from './handler-host.js';
import { DiscoveryFault } from './discovery-fault.js';

// The keys under which @UseGuards and its like leave their lists, and the method that makes a value such an enhancer.
// Nest exports them from its main entry in no version.
export const ENHANCER_LISTS = {
  __guards__: { word: 'guard', method: 'canActivate' },
  __interceptors__: { word: 'interceptor', method: 'intercept' },
  __exceptionFilters__: { word: 'filter', method: 'catch' },
  __pipes__: { word: 'pipe', method: 'transform' },
} as const;
export type EnhancerList = keyof typeof ENHANCER_LISTS;

const LIST_KEYS = Object.keys(ENHANCER_LISTS) as readonly EnhancerList[];
const SCOPE_OPTIONS = 'scope:options';
const REQUEST_SCOPE = 2;

/** As much of an `InstanceWrapper` as Nest's context creators ask of an enhancer's. */
type EnhancerWrapper = Pick<
  InstanceWrapper,
  'token' | 'isTransient' | 'isNotMetatype' | 'isDependencyTreeDurable' | 'getInstanceByContextId'
>;

type EnhancerClass = abstract new (...parameters: never[]) => object;

export interface BoundEnhancer {
  readonly list: EnhancerList;
  readonly enhancer: unknown;
}

function listOn(target: object, list: EnhancerList): readonly unknown[] {
  const found: unknown = Reflect.getMetadata(list, target);
  return Array.isArray(found) ? found : [];
}

/** Every guard, interceptor, filter and pipe bound to the class or to the method. */
export function boundEnhancers(classRef: object, method: object): readonly BoundEnhancer[] {
  return LIST_KEYS.flatMap((list) =>
    [...listOn(classRef, list), ...listOn(method, list)].map((enhancer) => ({ list, enhancer })),
  );
}

/**
 * Gives a function what was bound to the one it replaced: another decorator wrapped it, a subclass overrode it, a test
 * spies on it. Lists are joined, because a guard that was bound once must not get lost.
 */
export function inheritMetadata(replaced: object, current: object): void {
  for (const key of Reflect.getOwnMetadataKeys(replaced) as readonly unknown[]) {
    const bound: unknown = Reflect.getOwnMetadata(key, replaced);
    const own: unknown = Reflect.getOwnMetadata(key, current);
    if (own === undefined) {
      Reflect.defineMetadata(key, bound, current);
    } else if (LIST_KEYS.some((list) => list === key) && Array.isArray(bound) && Array.isArray(own)) {
      const rest: readonly unknown[] = own.filter((enhancer) => !bound.includes(enhancer));
      Reflect.defineMetadata(key, [...(bound as readonly unknown[]), ...rest], current);
    }
  }
}

function isClass(enhancer: unknown): enhancer is EnhancerClass {
  return typeof enhancer === 'function';
}

function nameOf(enhancer: unknown): string {
  if (isClass(enhancer)) return enhancer.name;
  return typeof enhancer === 'object' && enhancer !== null ? enhancer.constructor.name : String(enhancer);
}

function isRequestScoped(enhancer: EnhancerClass): boolean {
  const options = Reflect.getMetadata(SCOPE_OPTIONS, enhancer) as { readonly scope?: unknown } | undefined;
  return options?.scope === REQUEST_SCOPE;
}

function wrapperOf(token: EnhancerClass, instance: unknown): EnhancerWrapper {
  const held = { instance, isResolved: true, isConstructorCalled: true };
  return {
    token,
    isTransient: false,
    isNotMetatype: true,
    isDependencyTreeDurable: () => false,
    getInstanceByContextId: () => held,
  };
}

/**
 * The enhancers of one host, each with an instance. Nest leaves out, without a word, every enhancer class that it did
 * not itself find on a class provider of the module: those of `useValue` and `useFactory` instances, of replaced
 * functions, and pipe classes of our own parameter decorators. They are created here, at boot, in the host's module.
 */
export class HostEnhancers {
  readonly #created = new Map<EnhancerClass, { readonly instance: unknown; readonly wrapper: EnhancerWrapper }>();
  readonly #served = new Set<EnhancerClass>();

  constructor(private readonly host: HandlerHost) {}

  /** Makes sure that each of them will run; a missing dependency, or a scope that cannot be served, is a fault. */
  async prepare(enhancers: readonly BoundEnhancer[]): Promise<void> {
    for (const { list, enhancer } of enhancers) {
      const { word, method } = ENHANCER_LISTS[list];
      const instance = isClass(enhancer) ? await this.#instanceOf(enhancer, word) : enhancer;
      if (instance !== undefined && typeof (instance as Record<string, unknown> | null)?.[method] !== 'function') {
        throw new DiscoveryFault(`${word} ${nameOf(enhancer)} has no method ${method}`);
      }
    }
  }

  /** Undefined: Nest holds an instance for each call, which cannot be looked at before. */
  async #instanceOf(enhancer: EnhancerClass, word: string): Promise<unknown> {
    const created = this.#created.get(enhancer);
    if (created !== undefined) return created.instance;
    const own = this.#ownWrapper(enhancer);
    if (own !== undefined) return own.isDependencyTreeStatic() && !own.isTransient ? own.instance : undefined;
    if (isRequestScoped(enhancer)) {
      throw new DiscoveryFault(
        `${word} ${enhancer.name} is request-scoped, which Nest serves on class providers and controllers only`,
      );
    }
    try {
      const instance: unknown = await this.host.moduleRef.create(enhancer as unknown as new () => object);
      this.#created.set(enhancer, { instance, wrapper: wrapperOf(enhancer, instance) });
      return instance;
    } catch (error) {
      throw new DiscoveryFault(
        `${word} ${enhancer.name} cannot be created: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** Nest's own record, where it will have an instance whenever the handler runs. */
  #ownWrapper(enhancer: EnhancerClass): InstanceWrapper | undefined {
    const own = this.host.module.injectables.get(enhancer);
    if (own === undefined || !this.host.isStatic) return own;
    return own.isTransient || !own.isDependencyTreeStatic() ? undefined : own;
  }

  /** What Nest's context creators see in place of `Module.injectables`. */
  readonly injectables = {
    get: (enhancer: unknown): EnhancerWrapper | undefined => {
      if (!isClass(enhancer)) return undefined;
      const wrapper = this.#created.get(enhancer)?.wrapper ?? this.host.module.injectables.get(enhancer);
      if (wrapper !== undefined) this.#served.add(enhancer);
      return wrapper;
    },
  };

  /** Fails closed: an enhancer class for which Nest got no instance from here would be left out. */
  assertServed(enhancers: readonly BoundEnhancer[]): void {
    for (const { list, enhancer } of enhancers) {
      if (isClass(enhancer) && !this.#served.has(enhancer)) {
        throw new DiscoveryFault(`${ENHANCER_LISTS[list].word} ${enhancer.name} was not picked up by Nest`);
      }
    }
  }
}
