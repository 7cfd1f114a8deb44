import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { META } from '../../../src/protocol/envelope.js';
import type { Definition } from '../../../src/protocol/catalog/entries.js';
import { Sessions } from '../../../src/session/sessions.js';
import { HttpEndpoint } from '../../../src/transport/http/endpoint.js';
import type { EndpointOptions, HttpLimits } from '../../../src/transport/http/endpoint-options.js';
import { coreOf, type CoreFixture } from '../../protocol/core-fixture.js';

export const LIMITS: HttpLimits = {
  bodyBytes: 4_194_304,
  bodyTimeoutMs: 15_000,
  batchItems: 100,
  requireContentLength: false,
};

export interface EndpointFixture extends CoreFixture {
  readonly endpoint: HttpEndpoint;
  /** When asked for. */
  readonly sessions: Sessions | undefined;
  readonly server: Server;
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

type More = Partial<Omit<EndpointOptions, 'limits' | 'sessions'>> & {
  readonly limits?: Partial<HttpLimits>;
  readonly sessions?: boolean;
  readonly core?: Parameters<typeof coreOf>[1];
};

/** The endpoint on a plain node server; the caller is who `x-caller` says. */
export async function serveEndpoint(definitions: readonly Definition[], more: More = {}): Promise<EndpointFixture> {
  const { limits, sessions, core: coreOptions, ...rest } = more;
  const fixture = coreOf(definitions, coreOptions);
  const log = (message: string, error?: unknown): void => void fixture.logged.push({ message, error });
  const logger = { error: log, warn: log, info: log, debug: log };
  const kept = sessions === true ? new Sessions({ logger }) : undefined;
  const endpoint = new HttpEndpoint({
    server: fixture.core,
    logger,
    limits: { ...LIMITS, ...limits },
    drainMs: 300,
    ...(kept === undefined ? {} : { sessions: kept }),
    ...rest,
  });
  const server = createServer((raw, rawResponse) => {
    const caller = raw.headers['x-caller'];
    const identityKey = typeof caller === 'string' ? caller : undefined;
    void endpoint.handle({ raw, rawResponse, request: raw, identity: identityKey, identityKey });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...fixture,
    endpoint,
    sessions: kept,
    server,
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await endpoint.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const BOTH = 'application/json, text/event-stream';

export function modern(
  method: string,
  params: Record<string, unknown> = {},
  id: unknown = 1,
): { body: string; headers: Record<string, string> } {
  const name = params['name'] ?? params['uri'];
  return {
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {}, ...(params['_meta'] as object) },
      },
    }),
    headers: {
      'content-type': 'application/json',
      accept: BOTH,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  };
}

export function legacy(
  method: string,
  params: Record<string, unknown> = {},
  id: unknown = 1,
): { body: string; headers: Record<string, string> } {
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    headers: { 'content-type': 'application/json', accept: BOTH, 'mcp-protocol-version': '2025-11-25' },
  };
}

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A keep-alive connection for what clients cannot send. */
export class RawConnection {
  #buffer = '';
  #waiting: (() => void) | undefined;
  #closed = false;

  private constructor(readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => {
      this.#buffer += data;
      this.#waiting?.();
    });
    const end = (): void => {
      this.#closed = true;
      this.#waiting?.();
    };
    socket.on('close', end);
    socket.on('error', end);
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  post(body: string, lines: readonly string[]): this {
    const length = Buffer.byteLength(body);
    return this.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n${lines.join('\r\n')}\r\n\r\n`,
    ).write(Buffer.from(body).toString('latin1'));
  }

  /** The next answer with a Content-Length, or what came before the connection closed. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const mark = this.#buffer.indexOf('\r\n\r\n');
      if (mark >= 0) {
        const head = this.#buffer.slice(0, mark);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (this.#buffer.length >= mark + 4 + length) {
          const body = this.#buffer.slice(mark + 4, mark + 4 + length);
          this.#buffer = this.#buffer.slice(mark + 4 + length);
          return { status: Number(head.split(' ')[1]), head, body };
        }
      }
      if (this.#closed) throw new Error(`closed after ${JSON.stringify(this.#buffer)}`);
      await this.#more();
    }
  }

  /** Everything up to the close of the connection. */
  async rest(): Promise<string> {
    while (!this.#closed) await this.#more();
    return this.#buffer;
  }

  async until(text: string): Promise<string> {
    while (!this.#buffer.includes(text)) {
      if (this.#closed) throw new Error(`closed after ${JSON.stringify(this.#buffer)}`);
      await this.#more();
    }
    return this.#buffer;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => (this.#waiting = resolve));
  }
}
