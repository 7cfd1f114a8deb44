export { McpArg } from './decorators/mcp-arg.js';
export { McpArgs } from './decorators/mcp-args.js';
export { McpCompletion } from './decorators/mcp-completion.js';
export { McpCtx } from './decorators/mcp-ctx.js';
export { McpIdentity } from './decorators/mcp-identity.js';
export { McpPrompt } from './decorators/mcp-prompt.js';
export { McpResource } from './decorators/mcp-resource.js';
export { McpResourceTemplate } from './decorators/mcp-resource-template.js';
export { McpTool } from './decorators/mcp-tool.js';
export type { McpArgOptions } from './decorators/parameters.js';
export type {
  McpCompletionOptions,
  McpPromptOptions,
  McpResourceOptions,
  McpResourceTemplateOptions,
  McpToolOptions,
} from './decorators/options.js';
export type { HandlerIdentity } from './discovery/handler-call.js';
export { McpExecutionContext } from './discovery/mcp-execution-context.js';
export { McpForbidden, McpUnauthorized } from './guards/http-refusals.js';
export { McpAuthenticator } from './guards/mcp-authenticator.js';
export { InjectMcp } from './assembly/inject-mcp.js';
export { McpBootError } from './assembly/mcp-boot-error.js';
export { McpCatalog, type McpCatalogItem } from './entries/mcp-catalog.js';
export type { McpCatalogSource } from './entries/mcp-catalog-source.js';
export type {
  McpCompletionEntry,
  McpEntry,
  McpPromptEntry,
  McpResourceEntry,
  McpResourceTemplateEntry,
  McpToolEntry,
} from './entries/mcp-entries.js';
export { McpModule } from './mcp.module.js';
export type { McpModuleExtras } from './options/module-extras.js';
export { McpNotifier } from './assembly/mcp-notifier.js';
export type { McpCallEvent, McpDispatchEnd, McpDispatchStart, McpObserver } from './telemetry/mcp-observer.js';
export type {
  McpCacheHints,
  McpGate,
  McpLimits,
  McpModuleOptions,
  McpOptionsFactory,
  McpPageSizes,
  McpRawBodyCheck,
  McpServerInfo,
  McpSessionOptions,
  McpSkillOptions,
  McpTaskOptions,
  McpVisibility,
} from './options/mcp-options.js';
export type {
  Call,
  ClientCapabilities,
  Implementation,
  LogLevel,
  MirroredValue,
  NotificationMessage,
  Outcome,
  ProtocolServer,
  RequestMessage,
} from './protocol/call.js';
export type { CallDecision } from './protocol/call-context.js';
export type { Entry as McpCatalogEntry, ListedKind } from './protocol/catalog/catalog-entries.js';
export { CatalogFault } from './protocol/catalog/catalog.js';
export type { Change, ChangeBus, ChangeListener } from './protocol/changes.js';
export type { CompletionResult } from './protocol/results/completion-result.js';
export type { ContentBlock } from './protocol/results/content-blocks.js';
export {
  McpContext,
  type ElicitOptions,
  type ElicitOutcome,
  type ElicitUrlOptions,
  type ElicitUrlOutcome,
  type QuestionOptions,
  type Root,
  type SampleOptions,
  type SampleResult,
} from './protocol/context.js';
export type {
  Annotations,
  CompletionInput,
  Fault,
  Icon,
  TaskSupport,
  ToolAnnotations,
} from './protocol/catalog/entries.js';
export { ErrorCode, McpError, McpNotFound, McpToolError } from './protocol/errors.js';
export { allow, confirm, deny, type Gate, type GateDecision, type GatedTool } from './protocol/gate.js';
export type { PromptMessage, PromptResult } from './protocol/results/prompt-result.js';
export type { Revision, RevisionName } from './protocol/revisions.js';
export { McpInputRequired } from './protocol/questions/round.js';
export { McpResult, mcpResult, type McpResultParts } from './protocol/results/tool-result.js';
export type { CacheHint } from './protocol/server-options.js';
export type { NewTask, TaskChange, TaskQuestion, TaskRecord, TaskStatus, TaskStore } from './protocol/tasks/tasks.js';
export type { EventStore, StoredEvent } from './session/event-store.js';
export type { StateSecret } from './session/key-ring.js';
export type { NonceStore } from './session/nonce-store.js';
export type { SessionIds, SessionOpening } from './session/session-ids.js';
export type { SessionChange, SessionRecord, SessionStore } from './session/session-store.js';
export { serveMcp, type ServedMcp, type ServeMcpOptions } from './serve-mcp.js';
export { toWireTool } from './wire-tool.js';
