import { Inject, type Type } from '@nestjs/common';
import type { McpCatalog } from '../entries/mcp-catalog.js';
import type { McpNotifier } from './mcp-notifier.js';

/** What can be injected for one server by its name. */
export type McpInjectable = Type<McpCatalog> | Type<McpNotifier>;

/** The token under which a named server provides one of its parts. */
export function mcpToken(name: string, part: { readonly name: string }): string {
  return `nestjs-mcp:${part.name}:${name}`;
}

/** Injects the catalog or the notifier of the server with this name, where an application has several. */
export function InjectMcp(name: string, part: McpInjectable): ParameterDecorator & PropertyDecorator {
  return Inject(mcpToken(name, part));
}
