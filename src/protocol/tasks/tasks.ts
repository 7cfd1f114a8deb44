import type { RevisionName } from '../revisions.js';

/** `completed`, `failed` and `cancelled` are final (LTASK-08). */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A question a task asks, as both task wires carry it: without `jsonrpc` and `id` (MRTR-04). */
export interface TaskQuestion {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** One task as plain data; both task wires are printed from it (XTASK-27). */
export interface TaskRecord {
  /** Unguessable (LTASK-21, XTASK-23). */
  readonly id: string;
  /** Who may see it; undefined is an anonymous caller (LTASK-20). */
  readonly identityKey: string | undefined;
  /** The revision it was made under (XTASK-26). */
  readonly revision: RevisionName;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Milliseconds from `createdAt` until it may be deleted. */
  readonly ttlMs: number;
  readonly pollIntervalMs?: number;
  /** The result of the call as JSON text, when `completed`. */
  readonly result?: string;
  /** Whether that result says `isError`: 2025-11-25 calls such a task failed (LTASK-18), the extension completed (XTASK-10). */
  readonly isError?: boolean;
  /** The JSON-RPC error of the call as JSON text, when `failed`. */
  readonly error?: string;
  /** Questions without an answer, by key (XTASK-08). */
  readonly questions: Readonly<Record<string, TaskQuestion>>;
  /** Answers by key. A key that was answered is never asked again (XTASK-12). */
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface NewTask {
  readonly identityKey: string | undefined;
  readonly revision: RevisionName;
  /** What the client asked for, in ms; the store may keep it shorter (LTASK-09). */
  readonly ttlMs?: number;
  readonly pollIntervalMs?: number;
}

export type TaskChange =
  | { readonly kind: 'note'; readonly statusMessage: string }
  | { readonly kind: 'ask'; readonly questions: Readonly<Record<string, TaskQuestion>> }
  /** Keys that are not outstanding are ignored (XTASK-15). */
  | { readonly kind: 'answer'; readonly answers: Readonly<Record<string, unknown>> }
  | { readonly kind: 'complete'; readonly result: string; readonly isError: boolean }
  | { readonly kind: 'fail'; readonly error: string; readonly statusMessage?: string }
  | { readonly kind: 'cancel'; readonly statusMessage?: string };

/**
 * Where tasks are kept. Every look-up names the caller: another caller's task is an unknown one (LTASK-20). Plain data
 * only, so that any instance can answer for a task (XTASK-07).
 */
export interface TaskStore {
  /** Durable when it settles (XTASK-07). Undefined when this caller, or the store, holds as many as it may (LTASK-22). */
  create(task: NewTask): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /** Undefined when unknown, expired or another caller's. */
  get(id: string, identityKey: string | undefined): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /** This caller's tasks after the one with id `after`, oldest first; from the start when that one is gone. */
  list(
    identityKey: string | undefined,
    page: { readonly after?: string; readonly limit: number },
  ): readonly TaskRecord[] | Promise<readonly TaskRecord[]>;
  /** Undefined when unknown, or when its status does not allow the change (LTASK-08). */
  update(
    id: string,
    identityKey: string | undefined,
    change: TaskChange,
  ): TaskRecord | undefined | Promise<TaskRecord | undefined>;
}
