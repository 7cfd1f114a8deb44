import type { MethodCall } from '../methods/method.js';
import { report } from '../failures.js';
import { taskOwner } from './task-access.js';
import type { TaskRunner } from './task-runner.js';
import { detailedTask } from './task-wire.js';

/** Tells one subscription of its tasks, in order: each notification is the whole task (XTASK-21). */
export class TaskNotices {
  readonly #ids: ReadonlySet<string>;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly request: MethodCall,
    private readonly runner: TaskRunner,
    ids: readonly string[],
    private readonly send: (task: object) => void,
  ) {
    this.#ids = new Set(ids);
  }

  changed(id: string): void {
    if (this.#ids.has(id)) this.#last = this.#last.then(() => this.#tell(id));
  }

  async #tell(id: string): Promise<void> {
    const { call, context, options } = this.request;
    if (call.channel.signal.aborted) return;
    try {
      const record = await this.runner.store.get(id, taskOwner(call));
      if (record === undefined || call.channel.signal.aborted) return;
      this.send(JSON.parse(`{${detailedTask(record, context.clientCapabilities)}}`) as object);
    } catch (error) {
      report(options, 'A notification of a task', error);
    }
  }
}
