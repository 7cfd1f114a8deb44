import type { ServerResponse } from 'node:http';
import { SSE_KEEP_ALIVE, sseEvent, ssePriming, sseRetry } from './sse.js';
import { isWritable } from './writing.js';

const HEAD = {
  'content-type': 'text/event-stream',
  // `no-transform` keeps compression middleware away, which would hold events back.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};
/** What a slow reader may leave unread, in bytes, before it is let go. */
const MAX_BACKLOG = 4_194_304;

/** Keeps quiet streams alive; the timer runs only while there are any, and never holds the process. */
export class KeepAlive {
  readonly #streams = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly intervalMs: number) {}

  get size(): number {
    return this.#streams.size;
  }

  add(stream: EventStream): void {
    this.#streams.add(stream);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => {
      for (const each of this.#streams) each.beat();
    }, this.intervalMs);
    this.#timer.unref();
  }

  delete(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** One HTTP answer that is a stream of events. It never throws: a client that left hears nothing. */
export class EventStream {
  #open = true;

  constructor(
    private readonly response: ServerResponse,
    private readonly keepAlive: KeepAlive,
    /** Called once, when the client leaves before the end. */
    private readonly onGone: (stream: EventStream) => void,
  ) {
    if (!isWritable(response)) {
      this.#open = false;
      return;
    }
    // The length of a body that a host or a handler announced is not that of a stream.
    response.removeHeader('content-length');
    response.writeHead(200, HEAD);
    response.on('close', this.#onClose);
    keepAlive.add(this);
  }

  get open(): boolean {
    return this.#open;
  }

  /** Sends the head although there is nothing to say yet: the client learns that it is heard. */
  announce(): void {
    if (this.#open) this.response.flushHeaders();
  }

  event(data: string, id?: string): void {
    this.#write(sseEvent(data, id));
  }

  prime(id: string, retryMs: number): void {
    this.#write(ssePriming(id, retryMs));
  }

  retry(ms: number): void {
    this.#write(sseRetry(ms));
  }

  beat(): void {
    // A reader with a backlog needs no reminder.
    if (this.response.writableLength === 0) this.#write(SSE_KEEP_ALIVE);
  }

  end(): void {
    if (!this.#open) return;
    this.#close();
    this.response.end();
  }

  #write(text: string): void {
    if (!this.#open) return;
    if (this.response.writableLength > MAX_BACKLOG) {
      this.response.destroy();
      return;
    }
    this.response.write(text);
    // Compression middleware that streams through all the same is asked to let go of it.
    const { flush } = this.response as { flush?: unknown };
    if (typeof flush === 'function') flush.call(this.response);
  }

  #close(): void {
    this.#open = false;
    this.response.off('close', this.#onClose);
    this.keepAlive.delete(this);
  }

  readonly #onClose = (): void => {
    if (!this.#open) return;
    this.#close();
    this.onGone(this);
  };
}
