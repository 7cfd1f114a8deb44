import type { CallSubject } from './observation.js';
import { ErrorCode, McpToolError, ProtocolError } from './errors.js';

/** How long a refused caller should wait, in seconds: slots are free again as soon as a call ends. */
const RETRY_AFTER_S = 1;

/** Bounds of the calls of a server; a missing one is no bound. */
export interface CallLimits {
  /** Time for one call, in ms, where its tool names none. */
  readonly callTimeoutMs?: number;
  /** UTF-8 bytes of one result, where its tool names none. */
  readonly maxOutputBytes?: number;
  /** Calls served at once. */
  readonly inFlight?: number;
  /** Calls served at once for one identity key; callers without a key are one caller. */
  readonly inFlightPerCaller?: number;
}

/** What an entry may bound by itself. */
export interface LimitedEntry extends CallSubject {
  readonly timeoutMs?: number;
  readonly maxConcurrent?: number;
  readonly maxOutputBytes?: number;
}

/** The call got no result in its time (ERR-12). */
export class CallTimeout extends ProtocolError {
  constructor(ms: number) {
    super(ErrorCode.InternalError, `No result within ${ms} ms`);
  }
}

/** The result is longer than may be sent. */
export class OutputTooLarge extends ProtocolError {
  constructor(bytes: number) {
    super(ErrorCode.InternalError, `The result is longer than ${bytes} bytes: ask for less`);
  }
}

/** There is no room for one more call: 503 when the server is full, 429 when this caller has enough. */
export class ServerBusy extends ProtocolError {
  readonly retryAfterS = RETRY_AFTER_S;

  constructor(status: 429 | 503) {
    const why = status === 429 ? 'You have too many calls running' : 'The server is busy';
    super(ErrorCode.InternalError, `${why}: try again in ${RETRY_AFTER_S} s`, status, {
      retryAfterMs: RETRY_AFTER_S * 1_000,
    });
  }
}

/** A tool runs as often as it may; the model can wait. */
export class ToolBusy extends McpToolError {
  constructor({ name, maxConcurrent }: LimitedEntry) {
    super(`${name} is busy: at most ${maxConcurrent} calls of it run at once. Try again in ${RETRY_AFTER_S} s`);
  }
}

/** Counts what runs. */
export class Capacity {
  readonly #callers = new Map<string | undefined, number>();
  readonly #tools = new WeakMap<LimitedEntry, number>();
  #all = 0;

  constructor(private readonly limits: CallLimits = {}) {}

  /** Calls are counted at all. */
  get bounded(): boolean {
    return this.limits.inFlight !== undefined || this.limits.inFlightPerCaller !== undefined;
  }

  /** Takes a place for a call, or throws `ServerBusy`; the answer gives it back. */
  enter(identityKey: string | undefined): () => void {
    const { inFlight = Infinity, inFlightPerCaller = Infinity } = this.limits;
    const own = this.#callers.get(identityKey) ?? 0;
    if (own >= inFlightPerCaller) throw new ServerBusy(429);
    if (this.#all >= inFlight) throw new ServerBusy(503);
    this.#all += 1;
    this.#callers.set(identityKey, own + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#callers.get(identityKey) ?? 1) - 1;
      if (left === 0) this.#callers.delete(identityKey);
      else this.#callers.set(identityKey, left);
    };
  }

  /** Takes one of the places of a tool, or throws `ToolBusy`. */
  enterTool(entry: LimitedEntry): () => void {
    const { maxConcurrent = Infinity } = entry;
    const running = this.#tools.get(entry) ?? 0;
    if (running >= maxConcurrent) throw new ToolBusy(entry);
    this.#tools.set(entry, running + 1);
    return () => {
      this.#tools.set(entry, (this.#tools.get(entry) ?? 1) - 1);
    };
  }
}
