export { McpBootError } from './assembly/mcp-boot-error.js';
export { McpCatalog, type McpCatalogItem } from './entries/mcp-catalog.js';
export type {
  McpCompletionEntry,
  McpEntry,
  McpPromptEntry,
  McpResourceEntry,
  McpResourceTemplateEntry,
  McpToolEntry,
} from './entries/mcp-entries.js';
export { McpNotifier } from './assembly/mcp-notifier.js';
export type { NodeHandler } from './endpoint/node-handler.js';
export type { PipeOptions } from './assembly/open-pipe.js';
export { CatalogFault } from './protocol/catalog/catalog.js';
export { McpContext } from './protocol/context.js';
export { ErrorCode, McpError, McpNotFound, McpToolError } from './protocol/errors.js';
export { allow, confirm, deny } from './protocol/gate.js';
export type { McpLogger } from './protocol/logger.js';
export { McpInputRequired } from './protocol/questions/round.js';
export { McpResult, mcpResult } from './protocol/results/tool-result.js';
export { McpServer } from './assembly/mcp-server.js';
export type { McpServerOptions } from './options/mcp-server-options.js';
