import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as entry from '../src/index.js';

/** Every name the file exports, types included. */
function exportedNames(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const declared = [...text.matchAll(/^export (?:async function|const|class) (\w+)/gm)].map(([, name = '']) => name);
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .concat(declared)
    .map((name) => name.replace(/^\s*type /, '').trim())
    .filter((name) => name !== '')
    .map((name) => name.split(' as ').at(-1) ?? name)
    .sort();
}

describe('what the package promises', () => {
  it('is these values', () => {
    expect(Object.keys(entry).sort()).toMatchInlineSnapshot(`
      [
        "CatalogFault",
        "ErrorCode",
        "InjectMcp",
        "McpArg",
        "McpArgs",
        "McpAuthenticator",
        "McpBootError",
        "McpCatalog",
        "McpCompletion",
        "McpContext",
        "McpCtx",
        "McpError",
        "McpExecutionContext",
        "McpForbidden",
        "McpIdentity",
        "McpInputRequired",
        "McpModule",
        "McpNotFound",
        "McpNotifier",
        "McpPrompt",
        "McpResource",
        "McpResourceTemplate",
        "McpResult",
        "McpTool",
        "McpToolError",
        "McpUnauthorized",
        "allow",
        "confirm",
        "deny",
        "mcpResult",
        "serveMcp",
        "toWireTool",
      ]
    `);
  });

  it('is these names, types included', () => {
    const values = new Set(Object.keys(entry));
    expect(exportedNames('src/index.ts').filter((name) => !values.has(name))).toMatchInlineSnapshot(`
      [
        "Annotations",
        "CacheHint",
        "Call",
        "CallDecision",
        "Change",
        "ChangeBus",
        "ChangeListener",
        "ClientCapabilities",
        "CompletionInput",
        "CompletionResult",
        "ContentBlock",
        "ElicitOptions",
        "ElicitOutcome",
        "ElicitUrlOptions",
        "ElicitUrlOutcome",
        "EventStore",
        "Fault",
        "Gate",
        "GateDecision",
        "GatedTool",
        "HandlerIdentity",
        "Icon",
        "Implementation",
        "ListedKind",
        "LogLevel",
        "McpArgOptions",
        "McpCacheHints",
        "McpCallEvent",
        "McpCatalogEntry",
        "McpCatalogItem",
        "McpCatalogSource",
        "McpCompletionEntry",
        "McpCompletionOptions",
        "McpDispatchEnd",
        "McpDispatchStart",
        "McpEntry",
        "McpGate",
        "McpLimits",
        "McpModuleExtras",
        "McpModuleOptions",
        "McpObserver",
        "McpOptionsFactory",
        "McpPageSizes",
        "McpPromptEntry",
        "McpPromptOptions",
        "McpRawBodyCheck",
        "McpResourceEntry",
        "McpResourceOptions",
        "McpResourceTemplateEntry",
        "McpResourceTemplateOptions",
        "McpResultParts",
        "McpServerInfo",
        "McpSessionOptions",
        "McpSkillOptions",
        "McpTaskOptions",
        "McpToolEntry",
        "McpToolOptions",
        "McpVisibility",
        "MirroredValue",
        "NewTask",
        "NonceStore",
        "NotificationMessage",
        "Outcome",
        "PromptMessage",
        "PromptResult",
        "ProtocolServer",
        "QuestionOptions",
        "RequestMessage",
        "Revision",
        "RevisionName",
        "Root",
        "SampleOptions",
        "SampleResult",
        "ServeMcpOptions",
        "ServedMcp",
        "SessionChange",
        "SessionIds",
        "SessionOpening",
        "SessionRecord",
        "SessionStore",
        "StateSecret",
        "StoredEvent",
        "TaskChange",
        "TaskQuestion",
        "TaskRecord",
        "TaskStatus",
        "TaskStore",
        "TaskSupport",
        "ToolAnnotations",
      ]
    `);
  });

  it('has these other entries, and no more', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object };
    expect(Object.keys(exports)).toEqual(['.', './stdio', './server', './testing', './package.json']);
    expect(exportedNames('src/stdio.ts')).toMatchInlineSnapshot(`
      [
        "ServeStdioOptions",
        "StdioTarget",
        "serveStdio",
      ]
    `);
    expect(exportedNames('src/server.ts')).toMatchInlineSnapshot(`
      [
        "CatalogFault",
        "ErrorCode",
        "McpBootError",
        "McpCatalog",
        "McpCatalogItem",
        "McpCompletionEntry",
        "McpContext",
        "McpEntry",
        "McpError",
        "McpInputRequired",
        "McpLogger",
        "McpNotFound",
        "McpNotifier",
        "McpPromptEntry",
        "McpResourceEntry",
        "McpResourceTemplateEntry",
        "McpResult",
        "McpServer",
        "McpServerOptions",
        "McpToolEntry",
        "McpToolError",
        "NodeHandler",
        "PipeOptions",
        "allow",
        "confirm",
        "deny",
        "mcpResult",
      ]
    `);
    expect(exportedNames('src/testing/mcp-testing.ts')).toMatchInlineSnapshot(`
      [
        "ClientAnswers",
        "CompletionOutcome",
        "CompletionQuestion",
        "Describe",
        "ElicitAnswer",
        "ListedPrompt",
        "ListedResource",
        "ListedResourceTemplate",
        "ListedTool",
        "McpTestClient",
        "McpTesting",
        "McpTestingOptions",
        "McpTestingTarget",
        "MemoryNotification",
        "PromptOutcome",
        "RequestOptions",
        "ResourceOutcome",
        "ToolOutcome",
        "describeRevisions",
      ]
    `);
  });

  it.each(['index', 'stdio', 'server', 'testing/mcp-testing'])('is named one by one: %s has no star', (name) => {
    expect(readFileSync(`src/${name}.ts`, 'utf8')).not.toMatch(/export (?:type )?\*/);
  });
});
