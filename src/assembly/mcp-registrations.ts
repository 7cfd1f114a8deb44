import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { endpointPaths } from '../endpoint/endpoint-path.js';
import type { McpEntry } from '../entries/mcp-entries.js';
import type { McpRegistration } from './mcp-registration.js';

/** Entries given by `McpModule.forFeature`. */
export interface Feature {
  /** Undefined: the only server. */
  readonly name: string | undefined;
  readonly entries: readonly McpEntry[];
}

// Where RouterModule leaves the path of a module; the name is Nest's, which exports it from no public entry.
const MODULE_PATH = '__module_path__';

/** The servers of one application, and what was given to them from elsewhere. Each adds itself when it is constructed. */
@Injectable()
export class McpRegistrations {
  readonly all: McpRegistration[] = [];
  readonly features: Feature[] = [];

  constructor(
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {}

  /** The server of this name; without one, the only server. Throws when there is none or more than one. */
  find(name: string | undefined): McpRegistration {
    const [first, second] = this.all;
    if (name === undefined && first !== undefined && second === undefined) return first;
    const found = this.all.find((registration) => registration.extras.name === name);
    if (found !== undefined) return found;
    if (name !== undefined) throw new Error(`There is no MCP server named "${name}"`);
    throw new Error(
      first === undefined
        ? 'There is no MCP server in this application'
        : 'There are several MCP servers: inject with @InjectMcp(name, …)',
    );
  }

  /** Every path under which Nest may route to one of the endpoints, in comparable form. */
  paths(): ReadonlySet<string> {
    return new Set(
      this.all.flatMap(({ moduleClass, extras }) =>
        endpointPaths(this.config, this.#modulePath(moduleClass), extras.path),
      ),
    );
  }

  #modulePath(moduleClass: object): string {
    const path: unknown =
      Reflect.getMetadata(MODULE_PATH + this.modules.applicationId, moduleClass) ??
      Reflect.getMetadata(MODULE_PATH, moduleClass);
    return typeof path === 'string' ? path : '';
  }
}
