import type { Type } from '@nestjs/common';
import type { ModuleMetadata } from '@nestjs/common';
import { listOf, text, type Rule } from './option-rules.js';

/** What `forRoot` and `forRootAsync` take beside the options, because Nest must know it before any factory ran. */
export interface McpModuleExtras {
  /** Path of the endpoint, literal segments. Default `mcp`. */
  readonly path?: string;
  /** Modules whose providers and controllers this server offers. Default: all. */
  readonly include?: readonly Type[];
  /** Names this server where an application has several. */
  readonly name?: string;
  /** Modules with what guards and other classes named in the options need. */
  readonly imports?: ModuleMetadata['imports'];
}

const path: Rule = (value, at, report) => {
  const literal = typeof value === 'string' && /^\/?[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*\/?$/.test(value);
  if (!literal) report(at, 'must be one or more literal segments, e.g. mcp or api/mcp');
};

const moduleClass: Rule = (value, at, report) => {
  if (typeof value !== 'function') report(at, 'must be a module class');
};

export const MODULE_EXTRAS: Readonly<Record<string, Rule>> = {
  path,
  include: listOf(moduleClass),
  name: text,
  // Nest judges it.
  imports: () => undefined,
};
