import { OutputTooLarge, type LimitedEntry } from '../limits.js';
import type { Observation } from '../observation.js';
import type { Reply } from '../reply.js';
import { TimeLimit } from '../time-limit.js';
import { exceedsUtf8 } from '../results/utf8.js';
import { answeredWith, denied, replied, resultOf, suspended, type Ending } from './endings.js';
import type { MethodCall } from './method.js';

type Work = () => Promise<Reply>;

/** Makes a reply of an error, or throws what is answered instead. */
type Recover = (error: unknown) => Reply;

const rethrow: Recover = (error) => {
  throw error;
};

/**
 * One call of an entry from the moment its arguments were accepted: counted, limited and observed. There is one only
 * where something of this is wanted.
 */
export class Dispatch {
  #ended = false;

  private constructor(
    private readonly entry: LimitedEntry,
    private readonly request: MethodCall,
    private readonly observation: Observation | undefined,
    private readonly leave: (() => void) | undefined,
  ) {
    request.context.onClose = () => this.#end(() => suspended(request));
  }

  /** Undefined when the call can simply run. Throws `ServerBusy`. */
  static begin(entry: LimitedEntry, request: MethodCall): Dispatch | undefined {
    const { options, capacity, call, context } = request;
    const observation = options.observe?.({ subject: entry, context, transport: call.transport });
    if (!capacity.bounded) {
      const plain = observation === undefined && !isLimited(entry, request);
      return plain ? undefined : new Dispatch(entry, request, observation, undefined);
    }
    try {
      return new Dispatch(entry, request, observation, capacity.enter(call.identityKey));
    } catch (error) {
      new Dispatch(entry, request, observation, undefined).failed(error);
      throw error;
    }
  }

  /** A gate gave this reply instead. */
  stopped(reply: Reply): void {
    this.#end(() => denied(reply, this.request.context.gateFault));
  }

  /** Nothing ran, or the run has told already how it ended. */
  failed(error: unknown): void {
    this.#end(() => answeredWith(error, error, this.request.call));
  }

  /** Runs what the host does for the call, as `inner` sees it; settles with the reply or what is answered instead. */
  async run(inner: MethodCall, work: Work, recover: Recover = rethrow): Promise<Reply> {
    this.#follow(inner);
    let cause: unknown;
    try {
      let reply: Reply;
      try {
        reply = this.#fitting(await this.#limited(inner, work));
      } catch (error) {
        cause = error;
        reply = recover(error);
      }
      this.#end(() => (inner.round?.asking === true ? suspended(inner) : replied(reply, cause)));
      return reply;
    } catch (error) {
      this.#end(() => answeredWith(error, cause, inner.call));
      throw error;
    }
  }

  /** The call became a task: it ends with the task, not with the answer that names it. */
  #follow(inner: MethodCall): void {
    if (inner.context === this.request.context) return;
    this.request.context.onClose = undefined;
    inner.context.onClose = () => this.#end(() => suspended(inner));
  }

  async #limited({ options, capacity, context, call }: MethodCall, work: Work): Promise<Reply> {
    const { entry, observation } = this;
    const leave = entry.maxConcurrent === undefined ? undefined : capacity.enterTool(entry);
    const start = async (): Promise<Reply> => {
      try {
        return await (observation === undefined ? work() : observation.run(work));
      } finally {
        // Not before the host's code is done, even when its answer is no longer waited for.
        leave?.();
      }
    };
    const ms = entry.timeoutMs ?? options.limits?.callTimeoutMs;
    if (ms === undefined) return start();
    const limit = new TimeLimit(ms, options.after, () => call.channel.signal);
    context.timeLimit = limit;
    return limit.race(start);
  }

  #fitting(reply: Reply): Reply {
    const most = this.entry.maxOutputBytes ?? this.request.options.limits?.maxOutputBytes;
    if (most !== undefined && exceedsUtf8(resultOf(reply), most)) throw new OutputTooLarge(most);
    return reply;
  }

  #end(how: () => Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    this.leave?.();
    this.observation?.end({ ...how(), decision: this.request.context.decision });
  }
}

/** Runs the host's code for a call that has no gate. */
export function dispatched(entry: LimitedEntry, request: MethodCall, work: Work): Promise<Reply> {
  const dispatch = Dispatch.begin(entry, request);
  return dispatch === undefined ? work() : dispatch.run(request, work);
}

function isLimited(entry: LimitedEntry, { options: { limits } }: MethodCall): boolean {
  return (
    (entry.timeoutMs ?? entry.maxConcurrent ?? entry.maxOutputBytes) !== undefined ||
    (limits?.callTimeoutMs ?? limits?.maxOutputBytes) !== undefined
  );
}
