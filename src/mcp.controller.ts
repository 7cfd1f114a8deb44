import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  All,
  Controller,
  Inject,
  Logger,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import { callerOf } from './caller-identity.js';
import { continueBody, restoreBody } from './deferred-body.js';
import { DoorGuard } from './guards/door.guard.js';
import { EndpointFilter } from './guards/endpoint.filter.js';
import { takeOver } from './guards/node-response.js';
import { McpRegistration } from './mcp-registration.js';
import { NestLogger } from './nest-logger.js';
import { isConsumed, type ConsumedBody } from './transport/http/body.js';

/** Express's request is the node request; Fastify's has it as `raw`. */
interface HostRequest {
  readonly raw?: IncomingMessage;
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/** What is left of a body that a parser of the host read before us. */
function consumedBody({ rawBody, body }: HostRequest): ConsumedBody {
  for (const bytes of [rawBody, body]) if (bytes instanceof Uint8Array) return { bytes };
  return { parsed: body };
}

/** The controller of one registration: every method of its path, whatever version the application's routes have. */
export function endpointController(path: string): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(DoorGuard)
  @UseFilters(new EndpointFilter(new NestLogger(new Logger('Mcp'))))
  class McpController {
    constructor(@Inject(McpRegistration) private readonly registration: McpRegistration) {}

    @All()
    async handle(@Req() request: object, @Res() response: object): Promise<void> {
      const { server } = this.registration;
      const host: HostRequest = request;
      // Express's request is the node request.
      const raw = host.raw ?? (request as IncomingMessage);
      const { identity, key } = callerOf(request, server.options);
      const rawResponse: ServerResponse = takeOver(response);
      restoreBody(raw);
      await server.endpoint.handle({
        raw,
        rawResponse,
        request,
        identity,
        identityKey: key,
        continue: () => continueBody(raw),
        ...(isConsumed(raw) ? { consumed: consumedBody(host) } : {}),
      });
    }
  }
  return McpController;
}
