import { HttpException } from '@nestjs/common';
import { HandlerRefusal } from '../protocol/errors.js';

function messageOf(error: HttpException): string {
  const response = error.getResponse();
  const message: unknown = typeof response === 'string' ? response : (response as { message?: unknown }).message;
  // ValidationPipe puts one sentence per broken rule into an array.
  if (Array.isArray(message)) return message.map(String).join('; ');
  return typeof message === 'string' ? message : error.message;
}

function challengeOf(error: HttpException): string | undefined {
  return 'challenge' in error && typeof error.challenge === 'string' ? error.challenge : undefined;
}

/** `McpForbidden`, told by its member because this room does not look at the front door. */
function isStepUp(error: HttpException): boolean {
  return error.getStatus() === 403 && 'challenge' in error;
}

/**
 * What a handler threw, as the protocol understands it: a 4xx `HttpException` is a refusal by a guard or by the method.
 * Everything else stays as it is; a 5xx is a failure like any other, to be logged and hidden.
 */
export function toRefusal(error: unknown, guardsPassed: boolean): unknown {
  if (!(error instanceof HttpException)) return error;
  const status = error.getStatus();
  if (status < 400 || status > 499) return error;
  if (guardsPassed) return new HandlerRefusal('method', status, messageOf(error));
  const origin = status === 401 || isStepUp(error) ? 'authorization' : 'guard';
  return new HandlerRefusal(origin, status, messageOf(error), challengeOf(error));
}
