import { META } from '../../../src/protocol/envelope.js';
import type { Definition } from '../../../src/protocol/catalog/entries.js';
import type { ServerOptions, TaskSettings } from '../../../src/protocol/server-options.js';
import { TASKS_EXTENSION } from '../../../src/protocol/tasks/task-access.js';
import { InMemoryTaskStore, type InMemoryTaskStoreOptions } from '../../../src/session/in-memory-task-store.js';
import {
  callOf,
  conversationOf,
  coreOf,
  send,
  type Answer,
  type CallFixture,
  type CoreFixture,
} from '../core-fixture.js';

export interface TaskFixture extends CoreFixture {
  readonly store: InMemoryTaskStore;
}

export const DECLARED = { elicitation: {}, sampling: {}, extensions: { [TASKS_EXTENSION]: {} } };

export function taskCore(
  definitions: readonly Definition[],
  settings: Partial<TaskSettings> = {},
  storeOptions: InMemoryTaskStoreOptions = {},
  options: Partial<ServerOptions> = {},
): TaskFixture {
  const store = new InMemoryTaskStore(storeOptions);
  const tasks: TaskSettings = {
    store,
    defaultTtlMs: 60_000,
    maxTtlMs: 120_000,
    pollIntervalMs: 2_000,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
    ...settings,
  };
  return { ...coreOf(definitions, { tasks, ...options }), store };
}

/** A 2025-11-25 client in its session. */
export function coreClient(more: Parameters<typeof callOf>[1] = {}): CallFixture {
  return callOf('2025-11-25', { conversation: conversationOf({ clientCapabilities: { elicitation: {} } }), ...more });
}

export function modernClient(more: Parameters<typeof callOf>[1] = {}): CallFixture {
  return callOf('2026-07-28', more);
}

export function sleep(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Something a handler waits for until the test lets it go on. */
export function gate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

export function modern(
  fixture: CoreFixture,
  client: CallFixture,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Answer> {
  return send(fixture, client, method, params, DECLARED);
}

/** The id of the task that a 2025-11-25 answer names. */
export function taskIdOf({ result, error }: Answer): string {
  const task = result?.['task'];
  if (typeof task === 'object' && task !== null && 'taskId' in task) return String(task.taskId);
  throw new Error(`no task: ${JSON.stringify(result ?? error)}`);
}

/** Starts a task and answers with its id. */
export async function started(fixture: CoreFixture, client: CallFixture, name: string): Promise<string> {
  if (client.call.revision.era === 'legacy') {
    return taskIdOf(await send(fixture, client, 'tools/call', { name, task: {} }));
  }
  const { result, error } = await modern(fixture, client, 'tools/call', { name });
  if (result?.['resultType'] !== 'task') throw new Error(`no task: ${JSON.stringify(result ?? error)}`);
  return String(result['taskId']);
}

/** Polls until the task has this status, and answers with it. */
export async function reached(
  fixture: CoreFixture,
  client: CallFixture,
  { taskId, status }: { readonly taskId: string; readonly status: string },
): Promise<Record<string, unknown>> {
  for (let turn = 0; turn < 200; turn += 1) {
    const { result, error } = await send(fixture, client, 'tasks/get', { taskId }, DECLARED);
    if (result?.['status'] === status) return result;
    if (error !== undefined) throw new Error(error.message);
    await sleep(2);
  }
  throw new Error(`the task never was ${status}`);
}

export function relatedTo(taskId: string): Record<string, unknown> {
  return { [META.relatedTask]: { taskId } };
}
