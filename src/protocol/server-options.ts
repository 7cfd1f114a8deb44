import type { Implementation } from './call.js';
import type { Catalog } from './catalog/catalog.js';
import type { McpContext } from './context.js';
import type { Entry } from './catalog/catalog-entries.js';
import type { ChangeBus } from './changes.js';
import type { Gate } from './gate.js';
import type { JsonObject } from './json/json.js';
import type { CallLimits } from './limits.js';
import type { McpLogger } from './logger.js';
import type { Observe } from './observation.js';
import type { Parsed } from './catalog/entries.js';
import type { Revision } from './revisions.js';
import type { Identify } from './server-identity.js';
import type { Sources } from './catalog/sourced-entries.js';
import type { StateSealer } from './questions/state.js';
import type { After } from './time-limit.js';
import type { TaskStore } from './tasks/tasks.js';

/** How long, and by whom, a result may be cached (CACHE-02, CACHE-03). */
export interface CacheHint {
  /** Milliseconds; 0 is stale at once. */
  readonly ttlMs: number;
  /** `public` promises the same bytes to every caller. */
  readonly scope: 'public' | 'private';
}

export interface CacheHints {
  readonly tools: CacheHint;
  readonly resources: CacheHint;
  readonly prompts: CacheHint;
  readonly discover: CacheHint;
  readonly read: CacheHint;
}

export interface PageSizes {
  readonly tools: number;
  readonly resources: number;
  readonly templates: number;
  readonly prompts: number;
}

/** The form of an elicitation, compiled by the schema room; the same object for the same source. */
export interface FormSchema {
  /** As revisions with rich forms know it (ELIC-08). */
  readonly wire: JsonObject;
  /** As 2025-06-18 knows it (ELIC-07). */
  readonly plainWire: JsonObject;
  parse(content: unknown): Parsed | Promise<Parsed>;
}

/** Decides whether a caller may see an entry. Hidden and unknown are the same to the caller. */
export type Visibility = (entry: Entry, context: McpContext) => boolean | Promise<boolean>;

export interface TaskSettings {
  readonly store: TaskStore;
  /** How long a task is kept when its client names no time, in ms. */
  readonly defaultTtlMs: number;
  /** The longest time a client may name, in ms. */
  readonly maxTtlMs: number;
  /** How often clients are told to look, and how often a waiting `tasks/result` looks by itself, in ms. */
  readonly pollIntervalMs: number;
  /** Runs something after some ms, at most 2^31 - 1, without keeping the process alive; answers with what calls it off. */
  readonly after: After;
}

export interface ServerOptions {
  readonly info: Implementation;
  readonly instructions?: string;
  /** Comes before `info` and `instructions`. */
  readonly identify?: Identify;
  /** Newest first. */
  readonly revisions: readonly Revision[];
  readonly catalog: Catalog;
  readonly pageSizes: PageSizes;
  readonly cache: CacheHints;
  readonly logger: McpLogger;
  readonly visibility?: Visibility;
  /** What exists for one caller beside the catalog. */
  readonly sources?: Sources;
  /** Decides about every call, before the tool's own gate. */
  readonly gate?: Gate;
  /** How long consent is waited for, in ms. */
  readonly confirmTimeoutMs: number;
  /** The host switched the skills extension on (EXT-06). */
  readonly skills?: boolean;
  readonly bus: ChangeBus;
  /** Where tasks are kept; without it tools never become tasks. */
  readonly tasks?: TaskSettings;
  readonly sealer: StateSealer;
  readonly compileForm: (source: unknown) => FormSchema;
  /** An unguessable reference for logs and opaque answers, and for ids of tasks and elicitations. */
  readonly newId: () => string;
  /** Runs after the current turn and its microtasks: questions started together travel together. */
  readonly defer: (run: () => void) => void;
  /** How long a question waits for its answer by default, in ms. */
  readonly questionTimeoutMs: number;
  readonly limits?: CallLimits;
  /** The timers of limits, like those of tasks. */
  readonly after: After;
  /** Follows calls of tools, resources, prompts and completions. */
  readonly observe?: Observe;
}
