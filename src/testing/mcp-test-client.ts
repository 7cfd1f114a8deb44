import type { ContentBlock, Implementation, PromptMessage, RevisionName, ToolAnnotations } from '../index.js';
import type { MemoryClient, MemoryNotification, MemoryResult } from '../mcp.memory.js';

type Members = Readonly<Record<string, unknown>>;

export interface ListedTool extends Members {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Members;
  readonly outputSchema?: Members;
  readonly annotations?: ToolAnnotations;
}

export interface ListedResource extends Members {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
}

export interface ListedResourceTemplate extends Members {
  readonly uriTemplate: string;
  readonly name: string;
  readonly mimeType?: string;
}

export interface ListedPrompt extends Members {
  readonly name: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

export interface ToolOutcome extends Members {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface ResourceOutcome extends Members {
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  }[];
}

export interface PromptOutcome extends Members {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export interface CompletionOutcome {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

export interface RequestOptions {
  /** Aborting it cancels the call; the promise then rejects with its reason. */
  readonly signal?: AbortSignal;
  /** `params._meta` of the request, e.g. a `progressToken`. */
  readonly meta?: Members;
}

/** What is completed: a prompt's argument or a template's variable, and what the other ones are. */
export interface CompletionQuestion {
  readonly ref: { readonly prompt: string } | { readonly uriTemplate: string };
  readonly argument: string;
  readonly value: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

/**
 * A client of one server in this process. Methods settle with the `result` of the answer and reject with `McpError` when
 * the answer is an error; a tool that fails is a result with `isError`. Lists are read to their last page.
 */
export class McpTestClient {
  /** What the server says of itself to this client. */
  readonly serverInfo: Implementation | undefined;
  readonly serverCapabilities: Members;
  readonly instructions: string | undefined;

  constructor(
    readonly revision: RevisionName,
    private readonly client: MemoryClient,
    greeting: MemoryResult,
  ) {
    const meta = greeting['_meta'] as Members | undefined;
    const info = greeting['serverInfo'] ?? meta?.['io.modelcontextprotocol/serverInfo'];
    this.serverInfo = info as Implementation | undefined;
    this.serverCapabilities = (greeting['capabilities'] ?? {}) as Members;
    this.instructions = greeting['instructions'] as string | undefined;
  }

  /** Everything the server said without being asked, in order. */
  get notifications(): readonly MemoryNotification[] {
    return this.client.notifications;
  }

  listTools(options?: RequestOptions): Promise<readonly ListedTool[]> {
    return this.#all<ListedTool>('tools/list', 'tools', options);
  }

  async callTool(name: string, args: object = {}, options?: RequestOptions): Promise<ToolOutcome> {
    return (await this.request('tools/call', { name, arguments: args }, options)) as ToolOutcome;
  }

  listResources(options?: RequestOptions): Promise<readonly ListedResource[]> {
    return this.#all<ListedResource>('resources/list', 'resources', options);
  }

  listResourceTemplates(options?: RequestOptions): Promise<readonly ListedResourceTemplate[]> {
    return this.#all<ListedResourceTemplate>('resources/templates/list', 'resourceTemplates', options);
  }

  async readResource(uri: string, options?: RequestOptions): Promise<ResourceOutcome> {
    return (await this.request('resources/read', { uri }, options)) as ResourceOutcome;
  }

  listPrompts(options?: RequestOptions): Promise<readonly ListedPrompt[]> {
    return this.#all<ListedPrompt>('prompts/list', 'prompts', options);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
  ): Promise<PromptOutcome> {
    return (await this.request('prompts/get', { name, arguments: args }, options)) as PromptOutcome;
  }

  async complete(question: CompletionQuestion, options?: RequestOptions): Promise<CompletionOutcome> {
    const { ref, argument, value, arguments: resolved } = question;
    const params = {
      ref: 'prompt' in ref ? { type: 'ref/prompt', name: ref.prompt } : { type: 'ref/resource', uri: ref.uriTemplate },
      argument: { name: argument, value },
      ...(resolved === undefined ? {} : { context: { arguments: resolved } }),
    };
    return (await this.request('completion/complete', params, options))['completion'] as CompletionOutcome;
  }

  /** Any request, as it stands on the wire; questions of the server are answered on the way. */
  request(method: string, params: Members = {}, { signal, meta }: RequestOptions = {}): Promise<MemoryResult> {
    return this.client.request(method, meta === undefined ? params : { ...params, _meta: meta }, signal);
  }

  /** The client leaves: what still runs for it is cancelled. The application goes on. */
  close(): void {
    this.client.close();
  }

  async #all<T>(method: string, member: string, options?: RequestOptions): Promise<readonly T[]> {
    const items: T[] = [];
    let cursor: unknown;
    do {
      const page = await this.request(method, cursor === undefined ? {} : { cursor }, options);
      items.push(...(page[member] as readonly T[]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return items;
  }
}
