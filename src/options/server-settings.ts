import type { McpCacheHints, McpLimits, McpModuleOptions, McpPageSizes, McpTaskOptions } from './mcp-options.js';
import { REVISIONS, type Revision } from '../protocol/revisions.js';
import type { CacheHint, CacheHints, PageSizes, TaskSettings } from '../protocol/server-options.js';
import type { CallLimits } from '../protocol/limits.js';
import type { After } from '../protocol/time-limit.js';
import { InMemoryTaskStore } from '../session/in-memory-task-store.js';
import { Sessions } from '../session/sessions.js';
import type { McpLogger } from '../protocol/logger.js';
import type { HttpLimits } from '../transport/http/endpoint-options.js';

/** Most clients read only the first page of tools. */
const TOOLS_PAGE = 1_000;
const PAGE = 50;

export function pageSizesOf({ tools, resources, templates, prompts }: McpPageSizes = {}): PageSizes {
  return {
    tools: tools ?? TOOLS_PAGE,
    resources: resources ?? PAGE,
    templates: templates ?? PAGE,
    prompts: prompts ?? PAGE,
  };
}

/** Nothing is cached unless the host says so (CACHE-05). */
function hintOf({ ttlMs = 0, scope = 'private' }: Partial<CacheHint> = {}): CacheHint {
  return { ttlMs, scope };
}

export function cacheHintsOf(hints: McpCacheHints = {}): CacheHints {
  return {
    tools: hintOf(hints.tools),
    resources: hintOf(hints.resources),
    prompts: hintOf(hints.prompts),
    discover: hintOf(hints.discover),
    read: hintOf(hints.read),
  };
}

/** Newest first, however the host ordered them. */
export function revisionsOf(names: McpModuleOptions['revisions']): readonly Revision[] {
  return names === undefined ? REVISIONS : REVISIONS.filter(({ name }) => names.includes(name));
}

/** Undefined when the host wants none. */
export function sessionsOf(options: McpModuleOptions['sessions'], logger: McpLogger): Sessions | undefined {
  if (options === 'stateless') return undefined;
  const { store, events, ids, ...bounds } = options ?? {};
  return new Sessions({
    logger,
    bounds,
    ...(store === undefined ? {} : { store }),
    ...(events === undefined ? {} : { events }),
    ...(ids === undefined ? {} : { ids }),
  });
}

export function httpLimitsOf({
  bodyBytes,
  bodyTimeoutMs,
  batchItems,
  requireContentLength,
}: McpLimits = {}): HttpLimits {
  return {
    bodyBytes: bodyBytes ?? 4_194_304,
    bodyTimeoutMs: bodyTimeoutMs ?? 15_000,
    batchItems: batchItems ?? 100,
    requireContentLength: requireContentLength ?? false,
  };
}

/** Runs something later without keeping the process alive. */
export const after: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

export function callLimitsOf({
  callTimeoutMs,
  maxOutputBytes,
  inFlight,
  inFlightPerCaller,
}: McpLimits = {}): CallLimits {
  return {
    ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
    ...(inFlight === undefined ? {} : { inFlight }),
    ...(inFlightPerCaller === undefined ? {} : { inFlightPerCaller }),
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** `close` ends the default store; a store of the host is left as it is. */
export function tasksOf({ store, ttlMs, maxTtlMs, pollIntervalMs }: McpTaskOptions = {}): TaskSettings & {
  close(): void;
} {
  const most = maxTtlMs ?? DAY_MS;
  const usual = ttlMs ?? Math.min(HOUR_MS, most);
  const own = new InMemoryTaskStore({ ttlMs: usual, maxTtlMs: most });
  return {
    store: store ?? own,
    close: () => own.close(),
    defaultTtlMs: usual,
    maxTtlMs: most,
    pollIntervalMs: pollIntervalMs ?? 1_000,
    after,
  };
}
