import { Catch, Inject, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { refuseUnread, type Refusal } from '../transport/http/writing.js';
import { DOOR, type Door } from './door.guard.js';
import { takeOver } from './node-response.js';
import { refusalOf } from './refusal-of.js';

const INTERNAL_ERROR = -32603;
const MESSAGES: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden' };

/**
 * Answers whatever was thrown before the endpoint took over: by global guards, the guards of the options, interceptors.
 * It stands on the controller, so no filter of the host turns a refusal into HTML or an envelope of its own.
 */
@Injectable()
@Catch()
export class EndpointFilter implements ExceptionFilter {
  constructor(@Inject(DOOR) private readonly door: Door) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = takeOver(http.getResponse<object>());
    // An interceptor that timed out while the answer was on its way.
    if (response.headersSent) return;
    const request = http.getRequest<IncomingMessage & { readonly raw?: IncomingMessage }>();
    refuseUnread(request.raw ?? request, response, this.#answer(error, response.hasHeader('www-authenticate')));
  }

  #answer(error: unknown, challenged: boolean): Refusal {
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      this.door.logger.error('A guard or interceptor failed', error);
      return { status: 500, code: INTERNAL_ERROR, message: 'Internal error' };
    }
    const { status } = refusal;
    this.door.logger.debug(`Refused a request with ${status}: ${error instanceof Error ? error.message : ''}`);
    // A guard may have challenged on the response itself.
    const challenge = refusal.challenge ?? (status === 401 && !challenged ? 'Bearer' : undefined);
    return {
      status,
      message: MESSAGES[status] ?? 'The request was refused',
      ...(challenge === undefined ? {} : { headers: { 'www-authenticate': challenge } }),
    };
  }
}
