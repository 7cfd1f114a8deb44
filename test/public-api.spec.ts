import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as entry from '../src/index.js';

/** Every name the file exports, types included. */
function exportedNames(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(','))
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
      ]
    `);
  });

  it('is these names, types included', () => {
    const values = new Set(Object.keys(entry));
    expect(exportedNames('src/index.ts').filter((name) => !values.has(name))).toMatchInlineSnapshot(`
      [
        "Annotations",
        "CacheHint",
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
        "NewTask",
        "NonceStore",
        "PromptMessage",
        "PromptResult",
        "QuestionOptions",
        "RevisionName",
        "Root",
        "SampleOptions",
        "SampleResult",
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

  it('is named one by one: the entry has no star', () => {
    expect(readFileSync('src/index.ts', 'utf8')).not.toContain('*');
  });
});
