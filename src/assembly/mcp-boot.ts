import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { McpBootError } from './mcp-boot-error.js';
import type { McpRegistration } from './mcp-registration.js';
import { McpRegistrations } from './mcp-registrations.js';
import type { Fault } from '../protocol/catalog/entries.js';
import { ServerAssembly } from './server-assembly.js';
import { comparablePath } from '../endpoint/endpoint-path.js';

/**
 * Starts every server of the application, or none: all faults of all servers are thrown as one error. It is thrown from
 * a hook because Nest would end the process on an error of a constructor or factory.
 */
@Injectable()
export class McpBoot implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly registrations: McpRegistrations,
    private readonly assembly: ServerAssembly,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { all, features } = this.registrations;
    const faults = [...sharedNames(all), ...sharedPaths(all), ...strayFeatures(this.registrations)];
    const starts: (() => void)[] = [];
    for (const registration of all) {
      const entries = features.filter(({ name }) => name === undefined || name === registration.extras.name);
      const assembled = await this.assembly.assemble(
        registration,
        entries.flatMap((feature) => feature.entries),
      );
      faults.push(...assembled.faults);
      const { server } = assembled;
      if (server !== undefined) starts.push(() => registration.start(server));
    }
    if (faults.length > 0) throw new McpBootError(faults);
    for (const start of starts) start();
  }

  /** The last hook before Nest waits for connections: an open event stream would keep it waiting. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.registrations.all.map((registration) => registration.close()));
  }
}

function repeated(
  all: readonly McpRegistration[],
  keyOf: (registration: McpRegistration) => string,
): readonly McpRegistration[] {
  const seen = new Set<string>();
  return all.filter((registration) => {
    const key = keyOf(registration);
    return seen.has(key) || !seen.add(key);
  });
}

function sharedNames(all: readonly McpRegistration[]): Fault[] {
  return repeated(all, ({ extras }) => String(extras.name)).map(({ source, extras }) => ({
    source,
    message:
      extras.name === undefined
        ? 'option "name" is required: another server of this application has none'
        : 'option "name" is the name of another server of this application',
  }));
}

function sharedPaths(all: readonly McpRegistration[]): Fault[] {
  return repeated(all, ({ extras }) => comparablePath(`/${String(extras.path).replace(/^\/+/, '')}`)).map(
    ({ source }) => ({
      source,
      message: 'option "path" is the path of another server of this application',
    }),
  );
}

function strayFeatures({ all, features }: McpRegistrations): Fault[] {
  // A feature alone, as in its own tests, offers its entries to nobody.
  if (all.length === 0) return [];
  return features.flatMap(({ name }) => {
    const source = 'McpModule.forFeature';
    if (name === undefined) {
      return all.length > 1 ? [{ source, message: 'must name one of the servers: there are several' }] : [];
    }
    if (all.some(({ extras }) => extras.name === name)) return [];
    return [{ source, message: `there is no server named "${name}"` }];
  });
}
