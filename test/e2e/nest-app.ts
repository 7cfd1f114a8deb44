import { connect, type AddressInfo } from 'node:net';
import type { INestApplication, NestApplicationOptions, Type, DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export const PLATFORMS = ['express', 'fastify'] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface StartOptions extends NestApplicationOptions {
  readonly adapter?: ExpressAdapter | FastifyAdapter;
  /** Runs between `create` and `listen`. */
  readonly configure?: (app: INestApplication) => unknown;
}

export interface Running {
  readonly app: INestApplication;
  readonly port: number;
  readonly url: (path?: string) => string;
}

/** A real application on a free port of the loopback interface. */
export async function start(
  platform: Platform,
  module: Type | DynamicModule,
  { adapter, configure, ...options }: StartOptions = {},
): Promise<Running> {
  const chosen = adapter ?? (platform === 'express' ? new ExpressAdapter() : new FastifyAdapter());
  const app = await NestFactory.create(module, chosen, { logger: false, abortOnError: false, ...options });
  try {
    await configure?.(app);
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, port, url: (path = '/mcp') => `http://127.0.0.1:${port}${path}` };
}

export const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A request of the handshake era, which needs no more headers than these. */
export function legacy(method: string, params?: object, id: number | string = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
}

export function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body,
    headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2025-06-18', ...headers },
  });
}

export interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export async function call(
  url: string,
  method: string,
  params?: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await post(url, legacy(method, params), headers);
  return (await response.json()) as Answer;
}

const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** A request of 2026-07-28, with the headers and the envelope it needs. */
export function modern(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  capabilities: object = {},
): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(params['_meta'] as object | undefined),
  };
  const name = NAMED[method];
  return post(url, legacy(method, { ...params, _meta }), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': String(params[name]) }),
  });
}

/** The text of the first content block of a tool's result. */
export async function callTool(
  url: string,
  name: string,
  args: object = {},
  headers?: Readonly<Record<string, string>>,
): Promise<string> {
  const { result, error } = await call(url, 'tools/call', { name, arguments: args }, headers);
  if (error !== undefined) return `error ${error.code}: ${error.message}`;
  const [block] = (result?.['content'] ?? []) as { text: string }[];
  return block?.text ?? '';
}

export interface RawAnswer {
  readonly text: string;
  /** The server closed the connection by itself. */
  readonly closed: boolean;
}

/** Sends bytes as they are; settles when the server closes, or `quietMs` after its last byte. */
export function exchange(port: number, text: string, quietMs = 400): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    let timer = setTimeout(() => settle(false), 5_000);
    const settle = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: received, closed });
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
      clearTimeout(timer);
      timer = setTimeout(() => settle(false), quietMs);
    });
    socket.on('end', () => settle(true));
    socket.on('error', (error) => (received === '' ? reject(error) : settle(true)));
  });
}
