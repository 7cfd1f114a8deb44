import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { adapterOf } from './body-deferral.js';

/**
 * Ends connections at shutdown on which nothing was ever said. Clients of event streams open such connections ahead of
 * need, and Node counts them among the busy ones: the server would wait for its header time-out.
 */
@Injectable()
export class SilentConnections implements OnModuleInit, BeforeApplicationShutdown {
  readonly #sockets = new Set<Socket>();

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const server = adapterOf(this.host)?.getHttpServer() as Server | undefined;
    server?.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  beforeApplicationShutdown(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
