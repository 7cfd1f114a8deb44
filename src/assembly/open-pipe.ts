import type { Readable } from 'node:stream';
import type { RunningServer } from './running-server.js';
import type { ServeStdioOptions } from '../mcp.stdio.js';
import type { PipeOutput } from '../transport/stdio/outbox.js';
import { StdioTransport } from '../transport/stdio/pipe.js';

export type PipeOptions = Omit<ServeStdioOptions, 'server'>;

export interface PipeEnds {
  readonly input: Readable;
  readonly output: PipeOutput;
}

/** A server at one end of a pair of streams, before it begins to read. It is closed with the server. */
export function openPipe(server: RunningServer, ends: PipeEnds, options: PipeOptions): StdioTransport {
  const { limits = {} } = server.options;
  const transport = new StdioTransport({
    ...options,
    ...ends,
    server: server.protocol,
    logger: server.logger,
    bus: server.bus,
    ...(limits.bodyBytes === undefined ? {} : { maxLineBytes: limits.bodyBytes }),
    ...(limits.batchItems === undefined ? {} : { maxBatchItems: limits.batchItems }),
  });
  server.onClose(() => transport.close());
  return transport;
}
