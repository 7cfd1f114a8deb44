import { ModuleRef, type DiscoveryService } from '@nestjs/core';
import { declarationsOf, type Declaration } from '../decorators/metadata.js';
import { DiscoveryFault } from './discovery-fault.js';

/** Nest's record of a provider or controller; its type is not exported by name. */
export type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];
export type HostModule = NonNullable<InstanceWrapper['host']>;

/** A provider or controller whose class declares handlers. */
export class HandlerHost {
  readonly module: HostModule;
  readonly moduleRef: ModuleRef;

  constructor(
    readonly wrapper: InstanceWrapper,
    /** Found by the prototype: a class decorator may have put a proxy in the class's place. */
    readonly prototype: object,
  ) {
    if (wrapper.host === undefined) throw new DiscoveryFault('belongs to no module');
    this.module = wrapper.host;
    const moduleRef: unknown = this.module.getProviderByKey(ModuleRef)?.instance;
    if (!(moduleRef instanceof ModuleRef)) throw new DiscoveryFault(`module ${this.module.name} has no ModuleRef`);
    this.moduleRef = moduleRef;
  }

  get classRef(): object {
    return this.prototype.constructor;
  }

  get className(): string {
    return this.prototype.constructor.name;
  }

  /** One instance for all calls. */
  get isStatic(): boolean {
    return this.wrapper.isDependencyTreeStatic() && !this.wrapper.isTransient;
  }
}

/**
 * The prototype behind a provider: of its class, or of what its factory made. Undefined when there is none; a
 * request-scoped factory has made nothing yet, so nothing can be found there.
 */
export function prototypeOf(wrapper: InstanceWrapper): object | undefined {
  const { metatype } = wrapper;
  if (!wrapper.isNotMetatype) return typeof metatype === 'function' ? (metatype.prototype as object) : undefined;
  const instance: unknown = wrapper.instance;
  if (typeof instance !== 'object' || instance === null) return undefined;
  return (Object.getPrototypeOf(instance) as object | null) ?? undefined;
}

/**
 * Roles declared by a class and those it inherits. What a class declares for a key replaces what its bases declared for
 * that key in the same role.
 */
export function declaredHandlers(prototype: object): readonly Declaration[] {
  const found: Declaration[] = [];
  for (let link: object | null = prototype; link !== null; link = Object.getPrototypeOf(link) as object | null) {
    const inherited = declarationsOf(link).filter(
      ({ kind, key }) => !found.some((nearer) => nearer.kind === kind && nearer.key === key),
    );
    found.push(...inherited);
  }
  return found;
}
