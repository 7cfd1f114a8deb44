import { createRequire } from 'node:module';
import { SchemaFault } from './schema-fault.js';

/**
 * Loads an optional peer when a schema needs it: from this package's place, else from the application's. The caller
 * names the part of its interface that is used.
 */
export function loadOptional<T>(name: string, purpose: string): T {
  for (const base of [import.meta.url, `${process.cwd()}/package.json`]) {
    try {
      // What a package exports is only known to its types, which an optional peer cannot bring along.
      return createRequire(base)(name) as T;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw new SchemaFault(`${purpose} needs the package ${name}: install it`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
}
