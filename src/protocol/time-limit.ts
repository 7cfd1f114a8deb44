import { CallTimeout } from './limits.js';

/** Runs something after some ms; answers with what calls it off. */
export type After = (ms: number, run: () => void) => () => void;

/**
 * The time that one call has. The clock stands still while the client is asked, and begins anew with its answer: a
 * replayed call (2026-07-28) has as much.
 */
export class TimeLimit {
  #controller: AbortController | undefined;
  #callOff: (() => void) | undefined;
  #fail: ((error: CallTimeout) => void) | undefined;
  #passed: CallTimeout | undefined;
  #questions = 0;
  readonly #follow = (): void => this.#controller?.abort(this.parent().reason);

  constructor(
    private readonly ms: number,
    private readonly after: After,
    /** The signal of the call, looked at when somebody looks at ours. */
    private readonly parent: () => AbortSignal,
  ) {}

  /** Aborted when the time is over, and whenever the call is. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const parent = this.parent();
      if (this.#passed !== undefined) this.#controller.abort(this.#passed);
      else if (parent.aborted) this.#follow();
      else parent.addEventListener('abort', this.#follow, { once: true });
    }
    return this.#controller.signal;
  }

  /** Settles as the work does, or rejects with `CallTimeout`; what the work does later is nobody's business. */
  race<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#start();
      work().then(
        (value) => {
          this.#end();
          resolve(value);
        },
        (error: Error) => {
          this.#end();
          reject(error);
        },
      );
    });
  }

  /** The client is being asked. */
  hold(): void {
    this.#questions += 1;
    this.#stop();
  }

  /** The client has answered. */
  release(): void {
    this.#questions -= 1;
    if (this.#questions === 0 && this.#fail !== undefined) this.#start();
  }

  #start(): void {
    this.#callOff = this.after(this.ms, () => {
      const error = new CallTimeout(this.ms);
      this.#passed = error;
      this.#fail?.(error);
      this.#end();
      this.#controller?.abort(error);
    });
  }

  #stop(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #end(): void {
    this.#stop();
    this.#fail = undefined;
    if (this.#controller !== undefined) this.parent().removeEventListener('abort', this.#follow);
  }
}
