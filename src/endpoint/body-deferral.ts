import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { deferBody, deferContinue } from './deferred-body.js';
import { comparablePath } from './endpoint-path.js';
import { McpRegistrations } from '../assembly/mcp-registrations.js';

interface FastifyHooks {
  addHook(name: 'onRequest', hook: (request: { raw: IncomingMessage }, reply: unknown, done: () => void) => void): void;
}

/**
 * Keeps body parsers away from the endpoints, so that a caller is refused before megabytes are read on their behalf, and
 * the exact bytes are seen. Two layers: the application's first hook, and a listener in front of the application for
 * parsers that the host installed before it. The first alone is reached by `inject` and serverless hosts, the second
 * alone comes before an `express()` instance that was given to the adapter.
 */
@Injectable()
export class BodyDeferral implements OnModuleInit {
  #paths: ReadonlySet<string> | undefined;

  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    private readonly registrations: McpRegistrations,
  ) {
    host.init$.subscribe(() => this.#hook());
  }

  onModuleInit(): void {
    const adapter = adapterOf(this.host);
    const server = adapter?.getHttpServer() as Server | undefined;
    if (server === undefined) return;
    server.prependListener('request', (request: IncomingMessage) => this.#defer(request));
    // A listener of the host's own answers for the whole server already.
    if (server.listenerCount('checkContinue') > 0) return;
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (this.#isOurs(request)) deferContinue(request, response);
      else response.writeContinue();
      server.emit('request', request, response);
    });
  }

  #hook(): void {
    const adapter = adapterOf(this.host);
    if (adapter === undefined) return;
    if (adapter.getType() === 'fastify') {
      (adapter.getInstance() as FastifyHooks).addHook('onRequest', ({ raw }, _reply, done) => {
        this.#defer(raw);
        done();
      });
      return;
    }
    adapter.use((request: IncomingMessage, _response: unknown, next: () => void) => {
      this.#defer(request);
      next();
    });
  }

  #defer(request: IncomingMessage): void {
    if (this.#isOurs(request)) deferBody(request);
  }

  #isOurs(request: IncomingMessage): boolean {
    // Prefix and excludes are final once requests arrive: they may be set after the module was made.
    this.#paths ??= this.registrations.paths();
    const { originalUrl } = request as { readonly originalUrl?: string };
    return this.#paths.has(comparablePath(originalUrl ?? request.url ?? ''));
  }
}

/** An application context has none, which Nest spells as undefined or as null. */
export function adapterOf({ httpAdapter }: HttpAdapterHost): HttpAdapterHost['httpAdapter'] | undefined {
  return (httpAdapter as HttpAdapterHost['httpAdapter'] | null | undefined) ?? undefined;
}
