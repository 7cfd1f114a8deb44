import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { McpUnauthorized } from 'nestjs-mcp';
import { callerOf, type AuthorizedRequest } from './callers.js';
import { challenge } from './challenge.js';

/** Guards the endpoint: nothing of a body is read before it has let the caller in. */
@Injectable()
export class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AuthorizedRequest>();
    const { authorization } = request.headers;
    if (authorization === undefined) throw new McpUnauthorized(challenge());
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    const caller = callerOf(token);
    if (caller === undefined) throw new McpUnauthorized(challenge({ error: 'invalid_token' }));
    // The package takes `request.user` as the identity of the call.
    request.user = caller;
    return true;
  }
}
