import type { DynamicModule, Type } from '@nestjs/common';

/** The root module of an application, or a function that loads it. */
export type ModuleTarget = Type | DynamicModule | (() => Promise<unknown>);

/** Of what was loaded, `AppModule` is taken, else the default export, else the only class. */
export async function rootModule(target: ModuleTarget, caller: string): Promise<Type | DynamicModule> {
  if (typeof target !== 'function' || isClass(target)) return target as Type | DynamicModule;
  const loaded: unknown = await (target as () => Promise<unknown>)();
  if (isClass(loaded)) return loaded;
  if (typeof loaded === 'object' && loaded !== null) {
    if ('module' in loaded && isClass(loaded.module)) return loaded as DynamicModule;
    const exported: Readonly<Record<string, unknown>> = { ...loaded };
    const classes = Object.values(exported).filter(isClass);
    const found = [exported['AppModule'], exported['default'], classes.length === 1 ? classes[0] : undefined].find(
      isClass,
    );
    if (found !== undefined) return found;
  }
  throw new TypeError(`${caller} found no module class in what was loaded: export it as AppModule or by default`);
}

function isClass(value: unknown): value is Type {
  return typeof value === 'function' && Function.prototype.toString.call(value).startsWith('class');
}
