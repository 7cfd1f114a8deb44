import type { Readable } from 'node:stream';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpRegistrations } from './mcp-registrations.js';
import type { PipeOutput } from './transport/stdio/outbox.js';
import { StdioTransport } from './transport/stdio/pipe.js';

/**
 * The application's root module, or a function that loads it: `() => import('./app.module.js')`. Loaded after stdout was
 * set aside, a module may print what it likes. Of what is loaded, `AppModule` is taken, else the default export, else
 * the only class.
 */
export type StdioTarget = Type | DynamicModule | (() => Promise<unknown>);

export interface ServeStdioOptions {
  /** Which server, where the application has several. */
  readonly server?: string;
  /** Answers in the order of the requests instead of their completion. Default false. */
  readonly ordered?: boolean;
  /** The methods `shutdown` and `exit` end the conversation. Default false. */
  readonly lifecycleMethods?: boolean;
  /** Messages may be framed by `Content-Length` headers. Default false. */
  readonly contentLengthFrames?: boolean;
  /** How long running calls may go on once the client is gone, in ms. Default 1,500. */
  readonly drainMs?: number;
}

export interface Pipes extends ServeStdioOptions {
  readonly input: Readable;
  readonly output: PipeOutput;
}

/** Starts the application and serves it; `closed` tells whether the client ended it, not a shutdown of ours. */
export async function serveOver(
  target: StdioTarget,
  { server: name, input, output, ...options }: Pipes,
): Promise<{ readonly closed: Promise<boolean> }> {
  const app = await NestFactory.createApplicationContext(await rootModule(target), { abortOnError: false });
  const { server } = app.get(McpRegistrations).find(name);
  const { limits = {} } = server.options;
  const transport = new StdioTransport({
    ...options,
    server: server.protocol,
    input,
    output,
    logger: server.logger,
    bus: server.bus,
    ...(limits.bodyBytes === undefined ? {} : { maxLineBytes: limits.bodyBytes }),
    ...(limits.batchItems === undefined ? {} : { maxBatchItems: limits.batchItems }),
  });
  server.onClose(() => transport.close());
  app.enableShutdownHooks();
  transport.start();
  const closed = transport.closed.then(async () => {
    if (server.closing) return false;
    await app.close();
    return true;
  });
  return { closed };
}

async function rootModule(target: StdioTarget): Promise<Type | DynamicModule> {
  if (typeof target !== 'function' || isClass(target)) return target as Type | DynamicModule;
  const loaded: unknown = await (target as () => Promise<unknown>)();
  if (isClass(loaded)) return loaded;
  if (typeof loaded === 'object' && loaded !== null) {
    if ('module' in loaded && isClass(loaded.module)) return loaded as DynamicModule;
    const exported: Readonly<Record<string, unknown>> = { ...loaded };
    const classes = Object.values(exported).filter(isClass);
    const found = [exported['AppModule'], exported['default'], classes.length === 1 ? classes[0] : undefined].find(
      isClass,
    );
    if (found !== undefined) return found;
  }
  throw new TypeError('serveStdio found no module class in what was loaded: export it as AppModule or by default');
}

function isClass(value: unknown): value is Type {
  return typeof value === 'function' && Function.prototype.toString.call(value).startsWith('class');
}
