import { randomUUID } from 'node:crypto';
import type { NewTask, TaskChange, TaskRecord, TaskStore } from '../protocol/tasks/tasks.js';
import { changedTask, isFinal } from './task-change.js';

export interface InMemoryTaskStoreOptions {
  /** How long a task is kept when the client names no time, in ms. Default 3,600,000. */
  readonly ttlMs?: number;
  /** The longest time a client may name, in ms. Default 86,400,000. */
  readonly maxTtlMs?: number;
  /** Tasks of all callers. Default 10,000. */
  readonly max?: number;
  /** Tasks of one caller; the anonymous ones count as one caller. Default 1,000. */
  readonly maxPerCaller?: number;
  /** Characters of results kept; beyond it the oldest finished tasks go first. Default 67,108,864. */
  readonly maxChars?: number;
  /** The clock, in ms since the epoch. */
  readonly now?: () => number;
}

/** Tasks of one process. They are gone after their ttl, and with the process. */
export class InMemoryTaskStore implements TaskStore {
  readonly #options: Required<InMemoryTaskStoreOptions>;
  /** Oldest first. */
  readonly #tasks = new Map<string, TaskRecord>();
  /** How many tasks each caller has. */
  readonly #counts = new Map<string | undefined, number>();
  #chars = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: InMemoryTaskStoreOptions = {}) {
    this.#options = {
      ttlMs: options.ttlMs ?? 3_600_000,
      maxTtlMs: options.maxTtlMs ?? 86_400_000,
      max: options.max ?? 10_000,
      maxPerCaller: options.maxPerCaller ?? 1_000,
      maxChars: options.maxChars ?? 67_108_864,
      now: options.now ?? Date.now,
    };
  }

  get size(): number {
    return this.#tasks.size;
  }

  create(task: NewTask): TaskRecord | undefined {
    const { identityKey, revision, pollIntervalMs } = task;
    if (this.#isFull(identityKey)) {
      this.#expire();
      if (this.#isFull(identityKey)) return undefined;
    }
    const now = this.#options.now();
    const record: TaskRecord = {
      id: randomUUID(),
      identityKey,
      revision,
      status: 'working',
      createdAt: now,
      updatedAt: now,
      ttlMs: Math.min(Math.max(task.ttlMs ?? this.#options.ttlMs, 0), this.#options.maxTtlMs),
      ...(pollIntervalMs !== undefined && { pollIntervalMs }),
      questions: {},
      answers: {},
    };
    this.#tasks.set(record.id, record);
    this.#counts.set(identityKey, (this.#counts.get(identityKey) ?? 0) + 1);
    this.#startSweep();
    return record;
  }

  get(id: string, identityKey: string | undefined): TaskRecord | undefined {
    const task = this.#tasks.get(id);
    if (task === undefined || task.identityKey !== identityKey) return undefined;
    if (!this.#isExpired(task)) return task;
    this.#drop(task);
    return undefined;
  }

  list(
    identityKey: string | undefined,
    page: { readonly after?: string; readonly limit: number },
  ): readonly TaskRecord[] {
    const own = [...this.#tasks.values()].filter((task) => task.identityKey === identityKey && !this.#isExpired(task));
    const from = page.after === undefined ? 0 : own.findIndex((task) => task.id === page.after) + 1;
    return own.slice(from, from + page.limit);
  }

  update(id: string, identityKey: string | undefined, change: TaskChange): TaskRecord | undefined {
    const before = this.get(id, identityKey);
    const after = before === undefined ? undefined : changedTask(before, change, this.#options.now());
    if (after === undefined) return undefined;
    this.#tasks.set(id, after);
    this.#chars += chars(after);
    if (this.#chars > this.#options.maxChars) this.#shed(id);
    return after;
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    this.#tasks.clear();
    this.#counts.clear();
    this.#chars = 0;
  }

  #isFull(identityKey: string | undefined): boolean {
    const { max, maxPerCaller } = this.#options;
    return this.#tasks.size >= max || (this.#counts.get(identityKey) ?? 0) >= maxPerCaller;
  }

  #isExpired(task: TaskRecord): boolean {
    return task.createdAt + task.ttlMs <= this.#options.now();
  }

  #drop(task: TaskRecord): void {
    if (!this.#tasks.delete(task.id)) return;
    this.#chars -= chars(task);
    const left = (this.#counts.get(task.identityKey) ?? 1) - 1;
    if (left > 0) this.#counts.set(task.identityKey, left);
    else this.#counts.delete(task.identityKey);
    if (this.#tasks.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  /** Lets finished tasks go, the oldest first, but not the one that finished just now. */
  #shed(justFinished: string): void {
    for (const task of this.#tasks.values()) {
      if (this.#chars <= this.#options.maxChars) return;
      if (task.id !== justFinished && isFinal(task.status)) this.#drop(task);
    }
  }

  #expire(): void {
    for (const task of this.#tasks.values()) if (this.#isExpired(task)) this.#drop(task);
  }

  #startSweep(): void {
    if (this.#sweep !== undefined) return;
    this.#sweep = setInterval(() => this.#expire(), 30_000);
    this.#sweep.unref();
  }
}

/** What a finished task holds; before that it holds next to nothing. */
function chars(task: TaskRecord): number {
  return (task.result?.length ?? 0) + (task.error?.length ?? 0);
}
