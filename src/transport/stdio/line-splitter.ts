import { isUtf8 } from 'node:buffer';
import { ByteGatherer } from './byte-gatherer.js';

/** Bytes that are no message: each is told once, and the rest of such a line or frame is never looked at. */
export type Unreadable = 'not-utf8' | 'line-too-long' | 'frame-too-long' | 'frame-length';

/** What becomes of bytes. */
export interface LineSink {
  /** One message's text, without its newline, carriage return and byte order mark. Never blank. */
  line(text: string): void;
  unreadable(why: Unreadable): void;
  /** A blank line; most readers skip it. */
  blank?(): void;
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = 0xfeff;
const BLANK = /^[ \t\r]*$/;

/**
 * Cuts bytes into lines at 0x0A alone: other line separators are ordinary characters of JSON strings, and a character
 * cut in two by a chunk is whole again when it is decoded (STDIO-01).
 */
export class LineSplitter {
  readonly #pending = new ByteGatherer();
  #draining = false;

  constructor(
    /** Bytes of a line without its newline. */
    private readonly maxBytes: number,
    private readonly sink: LineSink,
  ) {}

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const last = bytes.lastIndexOf(NEWLINE);
    if (last < 0) return this.#gather(bytes);
    const whole = this.#pending.length === 0 && !this.#draining ? bytes.subarray(0, last) : undefined;
    // The common chunk: complete lines, all of them in bounds. Decoded at once.
    if (whole !== undefined && whole.length <= this.maxBytes && isUtf8(whole)) this.#texts(whole.toString('utf8'));
    else this.#eachLine(bytes.subarray(0, last + 1));
    if (last + 1 < bytes.length) this.#gather(bytes.subarray(last + 1));
  }

  /** The end of the stream ends the last line. */
  end(): void {
    if (!this.#draining && this.#pending.length > 0) this.#line(this.#pending.take());
    this.#draining = false;
  }

  #eachLine(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const part = bytes.subarray(start, end);
      start = end + 1;
      if (this.#draining) this.#draining = false;
      else if (this.#pending.length + part.length > this.maxBytes) this.#refuse();
      else if (this.#pending.length === 0) this.#line(part);
      else {
        this.#pending.add(part);
        this.#line(this.#pending.take());
      }
    }
  }

  #gather(part: Buffer): void {
    if (this.#draining) return;
    if (this.#pending.length + part.length > this.maxBytes) {
      this.#refuse();
      this.#draining = true;
    } else {
      this.#pending.add(part);
    }
  }

  #refuse(): void {
    this.#pending.clear();
    this.sink.unreadable('line-too-long');
  }

  #line(bytes: Buffer): void {
    if (isUtf8(bytes)) this.#text(bytes.toString('utf8'));
    else this.sink.unreadable('not-utf8');
  }

  #texts(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#text(text.slice(start, end));
      start = end + 1;
    }
    this.#text(start === 0 ? text : text.slice(start));
  }

  #text(line: string): void {
    const from = line.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    const to = line.endsWith('\r') ? line.length - 1 : line.length;
    const text = from === 0 && to === line.length ? line : line.slice(from, to);
    if (BLANK.test(text)) this.sink.blank?.();
    else this.sink.line(text);
  }
}
