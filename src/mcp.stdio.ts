import { NestFactory } from '@nestjs/core';
import { McpRegistrations } from './assembly/mcp-registrations.js';
import { openPipe, type PipeEnds } from './assembly/open-pipe.js';
import { rootModule, type ModuleTarget } from './assembly/root-module.js';

/**
 * The application's root module, or a function that loads it: `() => import('./app.module.js')`. Loaded after stdout was
 * set aside, a module may print what it likes. Of what is loaded, `AppModule` is taken, else the default export, else
 * the only class.
 */
export type StdioTarget = ModuleTarget;

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

export interface Pipes extends ServeStdioOptions, PipeEnds {}

/** Starts the application and serves it; `closed` tells whether the client ended it, not a shutdown of ours. */
export async function serveOver(
  target: StdioTarget,
  { server: name, input, output, ...options }: Pipes,
): Promise<{ readonly closed: Promise<boolean> }> {
  const app = await NestFactory.createApplicationContext(await rootModule(target, 'serveStdio'), {
    abortOnError: false,
  });
  const { server } = app.get(McpRegistrations).find(name);
  const transport = openPipe(server, { input, output }, options);
  app.enableShutdownHooks();
  transport.start();
  const closed = transport.closed.then(async () => {
    if (server.closing) return false;
    await app.close();
    return true;
  });
  return { closed };
}
