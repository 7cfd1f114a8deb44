import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { CatalogEdit } from '../entries/catalog-edit.js';
import type { Door, DoorKeeper } from '../guards/door.guard.js';
import type { DoorRules } from '../guards/door.middleware.js';
import type { McpCatalogItem } from '../entries/mcp-catalog.js';
import { McpRegistrations } from './mcp-registrations.js';
import type { RunningServer } from './running-server.js';
import type { McpModuleExtras } from '../options/module-extras.js';
import type { ListedKind } from '../protocol/catalog/catalog-entries.js';
import type { Change } from '../protocol/changes.js';
import type { McpLogger } from '../protocol/logger.js';

/** What `forRoot` or `forRootAsync` was called with, beside the options. */
export interface RegistrationExtras extends McpModuleExtras {
  readonly path: string;
  /** How faults name the call, e.g. `McpModule.forRoot`. */
  readonly source: string;
  /** Members that are no extras; in `forRoot` they are judged with the options. */
  readonly strangers: Readonly<Record<string, unknown>>;
  readonly moduleClass: object;
}

export const MODULE_OPTIONS = Symbol('nestjs-mcp:options');
export const REGISTRATION_EXTRAS = Symbol('nestjs-mcp:extras');

/** One server of the application: what it was asked to be, and once the application has started, what it is. */
@Injectable()
export class McpRegistration implements Door {
  readonly moduleClass: object;
  /** Changes that wait for the start. */
  readonly edits: CatalogEdit[] = [];
  #server: RunningServer | undefined;

  constructor(
    /** As given: nothing is known of them before they were checked. */
    @Inject(MODULE_OPTIONS) readonly options: unknown,
    @Inject(REGISTRATION_EXTRAS) readonly extras: RegistrationExtras,
    @Inject(ModuleRef) readonly moduleRef: ModuleRef,
    registrations: McpRegistrations,
  ) {
    this.moduleClass = extras.moduleClass;
    registrations.all.push(this);
  }

  get server(): RunningServer {
    if (this.#server === undefined) throw new Error('The MCP server has not started: the application must init first');
    return this.#server;
  }

  get keepers(): readonly DoorKeeper[] {
    return this.server.keepers;
  }

  get rules(): DoorRules {
    return this.server.door;
  }

  get logger(): McpLogger {
    return this.server.logger;
  }

  /** How faults and logs name it. */
  get source(): string {
    const { source, name } = this.extras;
    return name === undefined ? source : `${source} "${name}"`;
  }

  start(server: RunningServer): void {
    this.#server = server;
  }

  async edit(edit: Extract<CatalogEdit, { entries: unknown }>): Promise<void> {
    if (this.#server === undefined) this.edits.push(edit);
    else await this.#server.extend(edit.entries, edit.replacing);
  }

  remove(kind: ListedKind, key: string): boolean {
    if (this.#server !== undefined) return this.#server.remove(kind, key);
    this.edits.push({ kind, key });
    return true;
  }

  items(): readonly McpCatalogItem[] {
    return this.#server?.items() ?? [];
  }

  publish(change: Change): void {
    this.#server?.publish(change);
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}
