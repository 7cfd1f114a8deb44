import { ForbiddenException, UnauthorizedException } from '@nestjs/common';

/**
 * Thrown by a guard: the caller is not known. Answered as HTTP 401 with `challenge` as `WWW-Authenticate` (`Bearer`
 * when there is none); the message is logged, never sent.
 */
export class McpUnauthorized extends UnauthorizedException {
  constructor(
    readonly challenge?: string,
    message = 'Unauthorized',
  ) {
    super(message);
  }
}

/**
 * Thrown by a guard: the caller is known and may not do this, e.g. for want of a scope. Answered as HTTP 403 with
 * `challenge` as `WWW-Authenticate`, when there is one; the message is logged, never sent.
 */
export class McpForbidden extends ForbiddenException {
  constructor(
    readonly challenge?: string,
    message = 'Forbidden',
  ) {
    super(message);
  }
}
