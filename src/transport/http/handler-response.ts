import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { McpLogger } from '../../protocol/logger.js';

type HeaderValue = number | string | readonly string[];
type Listener = (...args: unknown[]) => void;

/** What frames a body is not for handlers to say: the body is ours. */
const FRAMING: ReadonlySet<string> = new Set([
  'content-length',
  'content-encoding',
  'content-type',
  'transfer-encoding',
]);

/**
 * What handlers, and the host's guards on them, get as `response`: header setters work until the head is sent; writing a
 * body is the protocol's business, so body writers throw and are logged.
 */
export class HandlerResponse {
  /** Fastify's reply has the response of Node here. */
  readonly raw = this;
  statusCode = 200;

  constructor(
    private readonly response: ServerResponse,
    private readonly logger: McpLogger,
  ) {}

  get headersSent(): boolean {
    return this.response.headersSent;
  }

  setHeader(name: string, value: HeaderValue): this {
    if (this.#takes(name)) this.response.setHeader(name, value);
    return this;
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    if (this.#takes(name)) this.response.appendHeader(name, value);
    return this;
  }

  removeHeader(name: string): this {
    if (this.#takes(name)) this.response.removeHeader(name);
    return this;
  }

  getHeader(name: string): unknown {
    return this.response.getHeader(name);
  }

  hasHeader(name: string): boolean {
    return this.response.hasHeader(name);
  }

  getHeaders(): OutgoingHttpHeaders {
    return this.response.getHeaders();
  }

  /** Express: one header, or several as an object. */
  set(name: string | Readonly<Record<string, HeaderValue>>, value?: HeaderValue): this {
    if (typeof name !== 'string') return this.headers(name);
    return value === undefined ? this : this.setHeader(name, value);
  }

  header(name: string | Readonly<Record<string, HeaderValue>>, value?: HeaderValue): this {
    return this.set(name, value);
  }

  headers(values: Readonly<Record<string, HeaderValue>>): this {
    for (const [name, value] of Object.entries(values)) this.setHeader(name, value);
    return this;
  }

  append(name: string, value: string | readonly string[]): this {
    return this.appendHeader(name, value);
  }

  get(name: string): unknown {
    return this.getHeader(name);
  }

  /** The status of an MCP answer follows from its outcome: what is set here is remembered and not sent. */
  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  code(code: number): this {
    return this.status(code);
  }

  /** Events of the real response, `finish` and `close` among them. */
  on(event: string, listener: Listener): this {
    this.response.on(event, listener);
    return this;
  }

  once(event: string, listener: Listener): this {
    this.response.once(event, listener);
    return this;
  }

  off(event: string, listener: Listener): this {
    this.response.off(event, listener);
    return this;
  }

  write(): never {
    return this.#refuse('write');
  }

  end(): never {
    return this.#refuse('end');
  }

  send(): never {
    return this.#refuse('send');
  }

  json(): never {
    return this.#refuse('json');
  }

  redirect(): never {
    return this.#refuse('redirect');
  }

  #takes(name: string): boolean {
    return !this.response.headersSent && !FRAMING.has(name.toLowerCase());
  }

  #refuse(method: string): never {
    const error = new Error(`response.${method}() inside an MCP handler: return the result instead`);
    this.logger.error(error.message, error);
    throw error;
  }
}
