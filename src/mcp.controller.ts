import type { IncomingMessage } from 'node:http';
import { All, Controller, Req, Res, UseFilters, UseGuards, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import { callerOf, statelessSessionId } from './endpoint/caller-identity.js';
import { consumedBody } from './endpoint/consumed-body.js';
import { continueBody, restoreBody } from './endpoint/deferred-body.js';
import { DoorGuard } from './guards/door.guard.js';
import { EndpointFilter } from './guards/endpoint.filter.js';
import { takeOver } from './guards/node-response.js';
import { McpRegistration } from './assembly/mcp-registration.js';

type HostRequest = IncomingMessage & { readonly raw?: IncomingMessage };

/** The controller of one registration: each has its own path, so each is a class of its own. */
export function endpointController(path: string): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(DoorGuard)
  @UseFilters(EndpointFilter)
  class McpController {
    constructor(private readonly registration: McpRegistration) {}

    /**
     * Hands the request over. It does not wait for the answer: an event stream may last for hours, and nothing that the
     * host wraps around a route has a part in it.
     */
    @All()
    serve(@Req() request: HostRequest, @Res() response: object): void {
      const { server } = this.registration;
      const raw = request.raw ?? request;
      const caller = callerOf(request, server.options);
      restoreBody(raw);
      const consumed = consumedBody(request, raw);
      void server.endpoint.handle({
        raw,
        rawResponse: takeOver(response),
        request,
        identity: caller.identity,
        identityKey: caller.key,
        sessionId: statelessSessionId(request, server.options),
        continue: () => continueBody(raw),
        ...(consumed === undefined ? {} : { consumed }),
      });
    }
  }
  return McpController;
}
