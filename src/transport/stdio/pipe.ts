import type { Readable } from 'node:stream';
import { CallCancelled, ServerClosing, type ProtocolServer } from '../../protocol/call.js';
import type { ChangeBus } from '../../protocol/changes.js';
import { ErrorCode } from '../../protocol/errors.js';
import type { McpLogger } from '../../protocol/logger.js';
import { PipeDialogue } from './dialogue.js';
import { FrameReader } from './frame-reader.js';
import { LineSplitter, type LineSink, type Unreadable } from './line-splitter.js';
import { Outbox, type PipeOutput } from './outbox.js';

export interface StdioOptions {
  readonly server: ProtocolServer;
  readonly input: Readable;
  readonly output: PipeOutput;
  readonly logger: McpLogger;
  /** Changes that a handshake-era client is told of. */
  readonly bus?: ChangeBus;
  /** Bytes of one line or frame. Default 4,194,304. */
  readonly maxLineBytes?: number;
  /** Messages of one 2025-03-26 batch. Default 100. */
  readonly maxBatchItems?: number;
  /** Answers in the order of their requests instead of their completion. Default false. */
  readonly ordered?: boolean;
  /** `shutdown` and `exit` end the conversation. Default false. */
  readonly lifecycleMethods?: boolean;
  /** Messages may be framed by `Content-Length` headers. Default false. */
  readonly contentLengthFrames?: boolean;
  /** How long running calls may go on after the input ended, in ms. Default 1,500. */
  readonly drainMs?: number;
}

/** After their abort, calls have this long to answer with what they have, and the reader to take it. */
const LAST_WORDS_MS = 250;

/** MCP over a pair of byte streams: one message a line, both eras, many requests at once (STDIO-01, STDIO-13). */
export class StdioTransport {
  /** Settles when the client is gone, or `close` was called, and what ran for it has ended. */
  readonly closed: Promise<void>;
  readonly #outbox: Outbox;
  readonly #dialogue: PipeDialogue;
  readonly #reader: Pick<LineSplitter, 'push' | 'end'>;
  readonly #drainMs: number;
  readonly #maxBytes: number;
  #unsubscribe: (() => void) | undefined;
  #ending = false;
  #settleClosed: () => void = () => undefined;

  constructor(private readonly options: StdioOptions) {
    const { server, logger, input, output } = options;
    this.closed = new Promise((resolve) => (this.#settleClosed = resolve));
    this.#drainMs = options.drainMs ?? 1_500;
    this.#maxBytes = options.maxLineBytes ?? 4_194_304;
    this.#outbox = new Outbox(output, {
      blocked: () => input.pause(),
      free: () => {
        if (!this.#ending) input.resume();
      },
      broken: () => this.#onBroken(),
    });
    this.#dialogue = new PipeDialogue({
      server,
      logger,
      send: (text) => this.#outbox.send(text),
      onExit: options.lifecycleMethods === true ? (): void => void this.close() : undefined,
      ordered: options.ordered ?? false,
      maxBatchItems: options.maxBatchItems ?? 100,
    });
    const sink: LineSink = {
      line: (text) => this.#dialogue.hear(text),
      unreadable: (why) => this.#unreadable(why),
    };
    this.#reader =
      options.contentLengthFrames === true
        ? new FrameReader(this.#maxBytes, sink)
        : new LineSplitter(this.#maxBytes, sink);
  }

  /** Begins to read. */
  start(): void {
    const { input, bus } = this.options;
    this.#unsubscribe = bus?.subscribe((change) => this.#dialogue.tell(change));
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('error', this.#onEnd);
    input.on('close', this.#onEnd);
  }

  /** Ends as the end of the input does: running calls are drained, then aborted. Settles with `closed`. */
  close(): Promise<void> {
    if (!this.#ending) {
      this.#stopReading();
      void this.#drain().then(this.#settleClosed);
    }
    return this.closed;
  }

  readonly #onData = (chunk: Uint8Array | string): void => {
    this.#reader.push(typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk);
  };

  /** The client closing its side is how a pipe ends (STDIO-09); a broken input is the same. */
  readonly #onEnd = (): void => {
    if (this.#ending) return;
    this.#reader.end();
    void this.close();
  };

  /** Nobody reads any more: nothing is answered, and there is nothing to report (EPIPE). */
  #onBroken(): void {
    const gone = new CallCancelled('The client closed the pipe');
    if (!this.#ending) this.#stopReading();
    this.#dialogue.abort(gone);
    this.#settleClosed();
  }

  #stopReading(): void {
    this.#ending = true;
    this.#unsubscribe?.();
    this.options.input.off('data', this.#onData);
    this.options.input.pause();
  }

  async #drain(): Promise<void> {
    await within(this.#drainMs, this.#dialogue.drain());
    this.#dialogue.abort(new ServerClosing('The server is shutting down'));
    await within(LAST_WORDS_MS, this.#dialogue.drain());
    await within(LAST_WORDS_MS, this.#outbox.emptied());
    this.#outbox.release();
  }

  #unreadable(why: Unreadable): void {
    const max = this.#maxBytes;
    switch (why) {
      case 'not-utf8':
        return this.#dialogue.refuse(ErrorCode.ParseError, 'The message is not valid UTF-8');
      case 'line-too-long':
        return this.#dialogue.refuse(ErrorCode.InvalidRequest, `Request line exceeds ${max} bytes`);
      case 'frame-too-long':
        return this.#dialogue.refuse(ErrorCode.InvalidRequest, `Request frame exceeds ${max} bytes`);
      case 'frame-length':
        return this.#dialogue.refuse(ErrorCode.ParseError, 'Content-Length must be a number of bytes');
    }
  }
}

/** Waits for the work, but no longer than that. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}
