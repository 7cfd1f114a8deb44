export { McpBootError } from './mcp-boot-error.js';
export { McpCatalog, type McpCatalogItem } from './mcp-catalog.js';
export type {
  McpCompletionEntry,
  McpEntry,
  McpPromptEntry,
  McpResourceEntry,
  McpResourceTemplateEntry,
  McpToolEntry,
} from './mcp-entries.js';
export { McpNotifier } from './mcp-notifier.js';
export type { NodeHandler } from './node-handler.js';
export type { PipeOptions } from './open-pipe.js';
export { CatalogFault } from './protocol/catalog.js';
export { McpContext } from './protocol/context.js';
export { ErrorCode, McpError, McpNotFound, McpToolError } from './protocol/errors.js';
export { allow, confirm, deny } from './protocol/gate.js';
export type { McpLogger } from './protocol/logger.js';
export { McpInputRequired } from './protocol/round.js';
export { McpResult, mcpResult } from './protocol/tool-result.js';
export { McpServer } from './mcp-server.js';
export type { McpServerOptions } from './mcp-server-options.js';
