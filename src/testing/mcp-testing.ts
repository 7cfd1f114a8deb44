import { openInMemory, type InMemoryOptions, type InMemoryTarget } from '../mcp.memory.js';
import { McpTestClient } from './mcp-test-client.js';

export type { ClientAnswers, ElicitAnswer, MemoryNotification } from '../mcp.memory.js';
export { describeRevisions, type Describe } from './describe-revisions.js';
export {
  McpTestClient,
  type CompletionOutcome,
  type CompletionQuestion,
  type ListedPrompt,
  type ListedResource,
  type ListedResourceTemplate,
  type ListedTool,
  type PromptOutcome,
  type RequestOptions,
  type ResourceOutcome,
  type ToolOutcome,
} from './mcp-test-client.js';
export type { InMemoryOptions as McpTestingOptions, InMemoryTarget as McpTestingTarget };

/** Unit tests of tools, resources and prompts: no port, no client to install. */
export const McpTesting = {
  /**
   * Connects a client to a server of the application, in any revision, as any caller. `init()` is called here, where it
   * was not before. What stands around handlers runs as it does for real: guards, interceptors, pipes, visibility, gate.
   * What stands before the endpoint does not: Host and Origin checks, the guards of the option `guards`, `rawBody`.
   */
  async connect(target: InMemoryTarget, options: InMemoryOptions = {}): Promise<McpTestClient> {
    const { client, greeting, revision } = await openInMemory(target, options);
    return new McpTestClient(revision, client, greeting);
  },
} as const;
