import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { readAddress, shownHost } from './listen-address.js';
import { McpRegistrations } from './assembly/mcp-registrations.js';
import { rootModule, type ModuleTarget } from './assembly/root-module.js';

export interface ServeMcpOptions {
  /** Which server's `url` is answered, where the application has several. */
  readonly server?: string;
  /** Default: Nest's own, which is Express. */
  readonly adapter?: AbstractHttpAdapter;
}

/** An application that listens. */
export interface ServedMcp {
  /** Of the endpoint, as a client on this machine can use it. */
  readonly url: string;
  /** As the system gave it, when it was asked for port 0. */
  readonly port: number;
  readonly app: INestApplication;
  /** Shuts the application down, as a signal to the process does. */
  close(): Promise<void>;
}

/**
 * Starts an application and listens at `host:port`. Without a host (`:3000`, `3000`) it is 127.0.0.1, with port 0 any
 * free port. Rejects when the application does not start, or the address cannot be had. Whoever needs more than this,
 * such as a global prefix or CORS, starts the application as always.
 */
export async function serveMcp(
  target: ModuleTarget,
  address: string,
  { server, adapter }: ServeMcpOptions = {},
): Promise<ServedMcp> {
  const { host, port } = readAddress(address);
  const module = await rootModule(target, 'serveMcp');
  const options = { abortOnError: false };
  const app = await (adapter === undefined
    ? NestFactory.create(module, options)
    : NestFactory.create(module, adapter, options));
  try {
    await app.init();
    const { path } = app.get(McpRegistrations).find(server).extras;
    app.enableShutdownHooks();
    await app.listen(port, host);
    const bound = app.getHttpServer().address() as AddressInfo;
    const url = `http://${shownHost(host)}:${bound.port}/${path.replace(/^\/+/, '')}`;
    return { url, port: bound.port, app, close: () => app.close() };
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
}
