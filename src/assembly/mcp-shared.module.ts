import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BodyDeferral } from '../endpoint/body-deferral.js';
import { HandlerFactory } from '../discovery/handler-factory.js';
import { McpExplorer } from '../discovery/explorer.js';
import { EntryCompiler } from '../entries/entry-compiler.js';
import { EntryHandlers } from '../entries/entry-handlers.js';
import { McpBoot } from './mcp-boot.js';
import { McpCatalog } from '../entries/mcp-catalog.js';
import { McpNotifier } from './mcp-notifier.js';
import { McpRegistrations } from './mcp-registrations.js';
import { ServerAssembly } from './server-assembly.js';
import { SilentConnections } from '../endpoint/silent-connections.js';

const ofOnlyServer = <T>(Part: new (registration: () => ReturnType<McpRegistrations['find']>) => T) => ({
  provide: Part,
  useFactory: (registrations: McpRegistrations) => new Part(() => registrations.find(undefined)),
  inject: [McpRegistrations],
});

/**
 * What all servers of an application share: it sees every registration, so that one hook starts them all and reports all
 * faults together.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    McpRegistrations,
    BodyDeferral,
    HandlerFactory,
    McpExplorer,
    EntryHandlers,
    EntryCompiler,
    ServerAssembly,
    McpBoot,
    SilentConnections,
    ofOnlyServer(McpCatalog),
    ofOnlyServer(McpNotifier),
  ],
  exports: [McpRegistrations, McpCatalog, McpNotifier],
})
export class McpSharedModule {}
