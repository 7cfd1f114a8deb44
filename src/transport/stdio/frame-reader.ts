import { isUtf8 } from 'node:buffer';
import { ByteGatherer } from './byte-gatherer.js';
import { LineSplitter, type LineSink } from './line-splitter.js';

const NEWLINE = 0x0a;
const LENGTH_HEADER = /^content-length[ \t]*:[ \t]*(.*?)[ \t]*$/i;
const DIGITS = /^\d{1,15}$/;

/**
 * Reads lines and, between them, messages framed as `Content-Length: n`, more headers, a blank line and n bytes. A frame
 * beyond the bound is drained by its length, so nothing inside it is taken for a message.
 */
export class FrameReader {
  readonly #lines: LineSplitter;
  readonly #body = new ByteGatherer();
  #state: 'lines' | 'headers' | 'body' | 'drain' = 'lines';
  /** Bytes still missing of the body. */
  #missing = 0;
  /** What the first header said; undefined when it was no length. */
  #announced: number | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly sink: LineSink,
  ) {
    this.#lines = new LineSplitter(maxBytes, {
      line: (text) => this.#line(text),
      blank: () => this.#blank(),
      unreadable: (why) => {
        this.#state = 'lines';
        sink.unreadable(why);
      },
    });
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) at = this.#consume(chunk, at);
  }

  /** A frame cut short by the end of the stream is not a message. */
  end(): void {
    if (this.#state === 'lines') this.#lines.end();
  }

  #consume(chunk: Uint8Array, at: number): number {
    if (this.#state === 'lines' || this.#state === 'headers') {
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline < 0 ? chunk.length : newline + 1;
      this.#lines.push(chunk.subarray(at, end));
      return end;
    }
    const end = Math.min(at + this.#missing, chunk.length);
    if (this.#state === 'body') this.#body.add(chunk.subarray(at, end));
    this.#missing -= end - at;
    if (this.#missing === 0) this.#frameEnds();
    return end;
  }

  #line(text: string): void {
    if (this.#state === 'headers') return;
    const header = LENGTH_HEADER.exec(text)?.[1];
    if (header === undefined) return this.sink.line(text);
    this.#announced = DIGITS.test(header) ? Number(header) : undefined;
    this.#state = 'headers';
  }

  /** The end of the headers. */
  #blank(): void {
    if (this.#state !== 'headers') return;
    this.#state = 'lines';
    const length = this.#announced;
    if (length === undefined) return this.sink.unreadable('frame-length');
    if (length > this.maxBytes) this.sink.unreadable('frame-too-long');
    if (length === 0) return;
    this.#missing = length;
    this.#state = length > this.maxBytes ? 'drain' : 'body';
  }

  #frameEnds(): void {
    const complete = this.#state === 'body';
    this.#state = 'lines';
    if (!complete) return;
    const bytes = this.#body.take();
    if (isUtf8(bytes)) this.sink.line(bytes.toString('utf8'));
    else this.sink.unreadable('not-utf8');
  }
}
