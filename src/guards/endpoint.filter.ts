import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ErrorCode } from '../protocol/errors.js';
import type { McpLogger } from '../protocol/logger.js';
import { refuseUnread } from '../transport/http/writing.js';
import { takeOver } from './node-response.js';
import { refusalOf } from './refusal-of.js';

/**
 * Answers for what guards, or the host's interceptors on the endpoint, throw. Put on the controller it comes before
 * every global filter. Reasons go to the log alone.
 */
@Catch()
export class EndpointFilter implements ExceptionFilter {
  constructor(private readonly logger: McpLogger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<{ readonly raw?: IncomingMessage } & IncomingMessage>();
    const response: ServerResponse = takeOver(http.getResponse<object>());
    // The answer is under way: an interceptor that gave up on it can change nothing.
    if (response.headersSent) return;
    const raw = request.raw ?? request;
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      this.logger.error('The endpoint failed before the request was read', error);
      refuseUnread(raw, response, { status: 500, code: ErrorCode.InternalError, message: 'Internal error' });
      return;
    }
    const { status } = refusal;
    this.logger.info(`Refused with ${status}: ${error instanceof HttpException ? error.message : 'no reason given'}`);
    const challenge = refusal.challenge ?? (status === 401 ? 'Bearer' : undefined);
    refuseUnread(raw, response, {
      status,
      message: STATUS_CODES[status] ?? 'Refused',
      ...(challenge === undefined ? {} : { headers: { 'www-authenticate': challenge } }),
    });
  }
}
