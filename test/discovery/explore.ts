import type { INestApplication, INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { McpContext } from '../../src/protocol/context.js';
import type { Definition, Fault } from '../../src/protocol/catalog/entries.js';
import { McpExplorer, type ExploreOptions } from '../../src/discovery/explorer.js';
import { HandlerFactory } from '../../src/discovery/handler-factory.js';
import { TestContext } from './test-context.js';

export class Explored {
  constructor(
    readonly app: INestApplicationContext,
    readonly definitions: readonly Definition[],
    readonly faults: readonly Fault[],
  ) {}

  get sources(): readonly string[] {
    return this.definitions.map(({ source }) => source).sort();
  }

  find(source: string): Definition {
    const found = this.definitions.find((definition) => definition.source === source);
    if (found === undefined) throw new Error(`${source} was not found; faults: ${JSON.stringify(this.faults)}`);
    return found;
  }

  /** Calls the handler of `Class.method`. */
  async call(source: string, args: unknown = {}, context: McpContext = new TestContext()): Promise<unknown> {
    return this.find(source).handler(args, context);
  }
}

/** A Nest application of these modules, and what the explorer finds in it. */
export async function explore(
  metadata: ModuleMetadata,
  { setup, ...options }: ExploreOptions & { readonly setup?: (app: INestApplication) => void } = {},
): Promise<Explored> {
  const testing = await Test.createTestingModule({
    ...metadata,
    imports: [DiscoveryModule, ...(metadata.imports ?? [])],
    providers: [HandlerFactory, McpExplorer, ...(metadata.providers ?? [])],
  }).compile();
  const app = testing.createNestApplication({ logger: false });
  setup?.(app);
  await app.init();
  const { definitions, faults } = await app.get(McpExplorer).explore(options);
  return new Explored(app, definitions, faults);
}
