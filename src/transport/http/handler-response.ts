import type { ServerResponse } from 'node:http';
import type { McpLogger } from '../../protocol/logger.js';

type HeaderValue = number | string | readonly string[];

/**
 * What handlers, and the host's guards on them, get as `response`: header setters work until the head is sent; writing a
 * body is the protocol's business, so body writers throw and are logged.
 */
export class HandlerResponse {
  /** Frameworks put their own response around the one of Node. */
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
    if (!this.response.headersSent) this.response.setHeader(name, value);
    return this;
  }

  header(name: string, value: HeaderValue): this {
    return this.setHeader(name, value);
  }

  set(name: string, value: HeaderValue): this {
    return this.setHeader(name, value);
  }

  appendHeader(name: string, value: string): this {
    if (!this.response.headersSent) this.response.appendHeader(name, value);
    return this;
  }

  append(name: string, value: string): this {
    return this.appendHeader(name, value);
  }

  getHeader(name: string): unknown {
    return this.response.getHeader(name);
  }

  hasHeader(name: string): boolean {
    return this.response.hasHeader(name);
  }

  removeHeader(name: string): this {
    if (!this.response.headersSent) this.response.removeHeader(name);
    return this;
  }

  /** The status of an MCP answer follows from its outcome: what is set here is remembered and not sent. */
  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  code(code: number): this {
    return this.status(code);
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

  #refuse(method: string): never {
    const error = new Error(`response.${method}() inside an MCP handler: return the result instead`);
    this.logger.error(error.message, error);
    throw error;
  }
}
