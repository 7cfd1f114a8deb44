import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import type { RevisionName } from 'nestjs-mcp';

/** Where the application is met: the url of an endpoint, or the entry of a process. */
export type Place = { readonly url: string } | { readonly entry: string };

export interface ToolAnswer {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** What both official clients can do; they differ in little more than how one calls a tool. */
interface Common {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly { readonly uriTemplate: string }[] }>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  readResource(params: { uri: string }): Promise<{ readonly contents: readonly object[] }>;
  getPrompt(params: {
    name: string;
    arguments: Record<string, string>;
  }): Promise<{ readonly messages: readonly object[] }>;
  complete(params: {
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
  }): Promise<{ readonly completion: { readonly values: readonly string[] } }>;
  ping(): Promise<unknown>;
  setLoggingLevel(level: 'warning' | 'debug'): Promise<unknown>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  unsubscribeResource(params: { uri: string }): Promise<unknown>;
  getServerVersion(): { readonly name: string } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
}

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

/** A client that has connected. */
export interface Connected extends Common {
  call(params: CallParams, options?: CallOptions): Promise<ToolAnswer>;
  /** Notifications, in order of arrival; without progress, which belongs to a call. */
  readonly heard: { readonly method: string; readonly params?: unknown }[];
  /** What it was asked, in order of arrival. */
  readonly asked: { readonly method: string; readonly params?: unknown }[];
  /** Settles when the stream on which a handshake-era client hears of changes is open. */
  readonly listening: Promise<void>;
  /** The v2 client itself, for what only it can do. */
  readonly v2: V2Client | undefined;
}

export interface ClientKind {
  readonly client: string;
  readonly revision: RevisionName;
  connect(place: Place, answers?: Answers): Promise<Connected>;
}

/** How a client answers what it is asked. */
export interface Answers {
  readonly form?: { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Record<string, string> };
  readonly page?: { readonly action: 'accept' | 'decline' | 'cancel' };
}

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };
const INFO = { name: 'reader', version: '1.0.0' };
const SAMPLE = {
  role: 'assistant' as const,
  model: 'test-model',
  content: { type: 'text' as const, text: 'A haiku' },
};
const ROOTS = { roots: [{ uri: 'file:///books', name: 'books' }] };

function elicited({ mode }: { readonly mode?: unknown }, { form, page }: Answers): object {
  if (mode === 'url') return page ?? { action: 'accept' };
  return form ?? { action: 'accept', content: { name: 'Ann' } };
}

/** Watches for the GET of a client to be answered. */
function watchedFetch(): { readonly listening: Promise<void>; readonly fetch: typeof fetch } {
  let opened: () => void = () => undefined;
  const listening = new Promise<void>((resolve) => (opened = resolve));
  return {
    listening,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method === 'GET' && response.ok) opened();
      return response;
    },
  };
}

function stdioServer(entry: string): { command: string; args: string[]; stderr: 'ignore' } {
  return { command: process.execPath, args: [entry], stderr: 'ignore' };
}

/** `mode`: how it finds its revision; a handshake revision it offers in `initialize`. */
function v2(client: string, revision: RevisionName, mode: 'auto' | 'legacy' | { pin: string }): ClientKind {
  return {
    client,
    revision,
    async connect(place, answers = {}) {
      const it = new V2Client(INFO, {
        capabilities: CAPABILITIES,
        versionNegotiation: { mode },
        ...(mode === 'legacy' ? { supportedProtocolVersions: [revision] } : {}),
      });
      const heard: Connected['heard'] = [];
      const asked: Connected['asked'] = [];
      it.fallbackNotificationHandler = (notification) => Promise.resolve(void heard.push(notification));
      it.setRequestHandler('elicitation/create', (request) => {
        asked.push(request);
        return elicited(request.params, answers) as { action: 'accept' };
      });
      it.setRequestHandler('sampling/createMessage', (request) => {
        asked.push(request);
        return SAMPLE;
      });
      it.setRequestHandler('roots/list', (request) => {
        asked.push(request);
        return ROOTS;
      });
      const { listening, fetch } = watchedFetch();
      await it.connect(
        'url' in place ? new V2Http(new URL(place.url), { fetch }) : new V2Stdio(stdioServer(place.entry)),
      );
      const call: Connected['call'] = (params, options) => it.callTool(params, options);
      return Object.assign(common(it), { call, heard, asked, listening, v2: it });
    },
  };
}

const v1: ClientKind = {
  client: 'v1',
  revision: '2025-11-25',
  async connect(place, answers = {}) {
    const it = new V1Client(INFO, { capabilities: CAPABILITIES });
    const heard: Connected['heard'] = [];
    const asked: Connected['asked'] = [];
    it.fallbackNotificationHandler = (notification) => Promise.resolve(void heard.push(notification));
    it.setRequestHandler(ElicitRequestSchema, (request) => {
      asked.push(request);
      return elicited(request.params, answers) as { action: 'accept' };
    });
    it.setRequestHandler(CreateMessageRequestSchema, (request) => {
      asked.push(request);
      return SAMPLE;
    });
    it.setRequestHandler(ListRootsRequestSchema, (request) => {
      asked.push(request);
      return ROOTS;
    });
    const { listening, fetch } = watchedFetch();
    await it.connect(
      'url' in place ? new V1Http(new URL(place.url), { fetch }) : new V1Stdio(stdioServer(place.entry)),
    );
    const call: Connected['call'] = async (params, options) =>
      (await it.callTool(params, CallToolResultSchema, options)) as ToolAnswer;
    return Object.assign(common(it), { call, heard, asked, listening, v2: undefined });
  },
};

function common(client: Common): Common {
  return {
    listTools: () => client.listTools(),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    listPrompts: () => client.listPrompts(),
    readResource: (params) => client.readResource(params),
    getPrompt: (params) => client.getPrompt(params),
    complete: (params) => client.complete(params),
    ping: () => client.ping(),
    setLoggingLevel: (level) => client.setLoggingLevel(level),
    subscribeResource: (params) => client.subscribeResource(params),
    unsubscribeResource: (params) => client.unsubscribeResource(params),
    getServerVersion: () => client.getServerVersion(),
    getInstructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

/** Every official client, in every way it can find a revision. */
export const CLIENTS: readonly ClientKind[] = [
  v2('v2 pinned', '2026-07-28', { pin: '2026-07-28' }),
  v2('v2 auto', '2026-07-28', 'auto'),
  v2('v2', '2025-11-25', 'legacy'),
  v2('v2', '2025-06-18', 'legacy'),
  v2('v2', '2025-03-26', 'legacy'),
  v1,
];

/** The text of the first block of an answer. */
export function textOf({ content }: ToolAnswer): string {
  return content?.[0]?.text ?? '';
}
