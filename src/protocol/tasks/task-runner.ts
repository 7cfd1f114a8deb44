import { CallCancelled, ServerClosing, type Channel } from '../call.js';
import type { Change } from '../changes.js';
import { ErrorCode, HandlerRefusal, ProtocolError } from '../errors.js';
import { OPAQUE, report } from '../failures.js';
import type { MethodCall } from '../methods/method.js';
import type { Reply } from '../reply.js';
import type { ServerOptions, TaskSettings } from '../server-options.js';
import { requestedTtl, taskOwner } from './task-access.js';
import { outcomeOf, type Settlement } from './task-outcome.js';
import { TaskRun } from './task-run.js';
import { createdTask, isFinalTask } from './task-wire.js';
import type { TaskChange, TaskRecord, TaskStore } from './tasks.js';

/** Timers of the platform take 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** How long after its ttl a task that the store still has is looked at again. */
const RECHECK_MS = 1_000;
const CLOSING = 'The server is shutting down';

function isRefusal(settlement: Settlement): settlement is { readonly error: unknown } {
  return (
    'error' in settlement && (settlement.error instanceof ProtocolError || settlement.error instanceof HandlerRefusal)
  );
}

function unwrap(settlement: Settlement): Reply {
  if ('error' in settlement) throw settlement.error;
  return settlement.reply;
}

/** Runs the tasks of this process and writes what becomes of them into the store. */
export class TaskRunner {
  readonly #running = new Map<string, TaskRun>();
  readonly #timers = new Map<TaskRun, () => void>();
  #unsubscribe: (() => void) | undefined;
  #closed = false;

  constructor(
    private readonly options: ServerOptions,
    readonly settings: TaskSettings,
    /** The result of a call as its revision writes it. */
    private readonly print: (reply: Reply, request: MethodCall) => string,
  ) {}

  get store(): TaskStore {
    return this.settings.store;
  }

  /**
   * Starts the work of a call that becomes a task and answers with the task. What the handler does in its first turn
   * still belongs to the call: a refusal by a guard keeps its status, and questions (2026-07-28) travel with the call.
   */
  async start(outer: MethodCall, work: (inner: MethodCall) => Promise<Reply>): Promise<Reply> {
    const { revision } = outer.call;
    const run = new TaskRun(outer);
    // In 2025-11-25 nothing but a task can answer, so nothing runs before there is room for one.
    let record = revision.tasks === 'core' ? await this.#required(outer) : undefined;
    if (record !== undefined) this.#adopt(run, record);
    const settled = run.perform(work);
    const first = await Promise.race([settled, this.#turn()]);
    if (first !== undefined && isRefusal(first)) return this.#refused(run, first);
    if (record === undefined) {
      if (outer.round?.asking === true || outer.call.channel.signal.aborted) return this.#ordinary(run, settled);
      run.questions.hold();
      record = await this.#create(outer).catch((error: unknown) => void report(this.options, 'The task store', error));
      if (record === undefined) {
        // A plain result is always allowed (XTASK-04), and the work has begun.
        run.questions.release();
        return this.#ordinary(run, settled);
      }
      this.#adopt(run, record);
    }
    run.detach();
    void this.#finish(run, settled);
    return createdTask(record, revision);
  }

  /** Tells everyone who follows the task, on any instance. */
  announce(id: string): void {
    const failed = (error: unknown): void => this.options.logger.error('The change bus failed', error);
    try {
      const published = this.options.bus.publish({ kind: 'task', id });
      if (published instanceof Promise) published.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** A call waits for this task's result and can be told of its progress. */
  attend(id: string, channel: Channel): () => void {
    return this.#running.get(id)?.attend(channel) ?? (() => undefined);
  }

  /** How long the handler waits for this answer; undefined when it runs elsewhere. */
  timeoutOf(id: string, key: string): number | undefined {
    return this.#running.get(id)?.questions.timeoutOf(key);
  }

  /** Stops what runs and stores it as failed. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running.values()].map((run) => this.#shut(run)));
  }

  #turn(): Promise<undefined> {
    return new Promise((resolve) => this.options.defer(() => resolve(undefined)));
  }

  async #create({ call, message }: MethodCall): Promise<TaskRecord | undefined> {
    if (this.#closed) return undefined;
    const { defaultTtlMs, maxTtlMs, pollIntervalMs } = this.settings;
    const wished = call.revision.tasks === 'core' ? requestedTtl(message) : undefined;
    return this.store.create({
      identityKey: taskOwner(call),
      revision: call.revision.name,
      ttlMs: Math.min(wished ?? defaultTtlMs, maxTtlMs),
      pollIntervalMs,
    });
  }

  async #required(outer: MethodCall): Promise<TaskRecord> {
    let record: TaskRecord | undefined;
    try {
      record = await this.#create(outer);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const reference = report(this.options, 'The task store', error);
      throw new ProtocolError(ErrorCode.InternalError, OPAQUE, 200, { reference });
    }
    if (record !== undefined) return record;
    const why = this.#closed ? CLOSING : 'Too many tasks: wait until some have expired';
    throw new ProtocolError(ErrorCode.InternalError, why);
  }

  #adopt(run: TaskRun, record: TaskRecord): void {
    const { id, identityKey } = record;
    run.record = record;
    this.#running.set(id, run);
    this.#unsubscribe ??= this.options.bus.subscribe((change) => this.#changed(change));
    this.#timers.set(
      run,
      this.settings.after(Math.min(record.ttlMs, LONGEST_TIMER_MS), () => void this.#expired(run)),
    );
    run.onNote = (statusMessage) => void this.#save(run, { kind: 'note', statusMessage });
    run.questions.adopt(async (questions) => {
      const asked = await this.store.update(id, identityKey, { kind: 'ask', questions });
      if (asked === undefined) throw new CallCancelled('The task is over');
      this.announce(id);
    });
    if (this.#closed) void this.#shut(run);
  }

  /** No task: the answer is that of an ordinary call. */
  async #ordinary(run: TaskRun, settled: Promise<Settlement>): Promise<Reply> {
    try {
      return unwrap(await settled);
    } finally {
      run.close();
    }
  }

  /** The call was refused before it could be taken for a task; 2025-11-25 has made the record already. */
  async #refused(run: TaskRun, settlement: { readonly error: unknown }): Promise<Reply> {
    this.#drop(run);
    if (run.record !== undefined) await this.#save(run, outcomeOf(run, settlement, this.print));
    throw settlement.error;
  }

  async #finish(run: TaskRun, settled: Promise<Settlement>): Promise<void> {
    const settlement = await settled;
    if (run.over) return;
    this.#drop(run);
    await this.#save(run, outcomeOf(run, settlement, this.print));
  }

  async #save({ record, inner }: TaskRun, change: TaskChange): Promise<void> {
    if (record === undefined) return;
    try {
      const updated = await this.store.update(record.id, record.identityKey, change);
      if (updated === undefined) return;
      this.announce(record.id);
      this.options.logger.debug(`${inner.message.method}: a task is ${updated.status}`);
    } catch (error) {
      report(this.options, 'The task store', error);
    }
  }

  #changed(change: Change): void {
    const run = change.kind === 'task' ? this.#running.get(change.id) : undefined;
    if (run !== undefined) void this.#refresh(run);
  }

  /** Takes from the store what clients said meanwhile, to this instance or another. */
  async #refresh(run: TaskRun): Promise<void> {
    const { record } = run;
    if (record === undefined) return;
    try {
      const current = await this.store.get(record.id, record.identityKey);
      if (run.over) return;
      if (current === undefined) {
        this.#stop(run, new CallCancelled('The task expired'));
        this.announce(record.id);
      } else if (isFinalTask(current)) this.#stop(run, new CallCancelled('The task was cancelled'));
      else run.questions.settle(current.answers);
    } catch (error) {
      report(this.options, 'The task store', error);
    }
  }

  async #expired(run: TaskRun): Promise<void> {
    await this.#refresh(run);
    if (!run.over)
      this.#timers.set(
        run,
        this.settings.after(RECHECK_MS, () => void this.#expired(run)),
      );
  }

  async #shut(run: TaskRun): Promise<void> {
    this.#stop(run, new ServerClosing(CLOSING));
    const error = JSON.stringify({ code: ErrorCode.InternalError, message: CLOSING });
    await this.#save(run, { kind: 'fail', error, statusMessage: CLOSING });
  }

  #stop(run: TaskRun, reason: Error): void {
    this.#drop(run);
    run.abort(reason);
  }

  #drop(run: TaskRun): void {
    run.close();
    this.#timers.get(run)?.();
    this.#timers.delete(run);
    if (run.record !== undefined) this.#running.delete(run.record.id);
    if (this.#running.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }
}
