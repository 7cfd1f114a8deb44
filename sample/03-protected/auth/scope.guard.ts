import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { McpForbidden } from 'nestjs-mcp';
import type { AuthorizedRequest } from './callers.js';
import { challenge } from './challenge.js';

const SCOPE = 'scope';

/** The scope a token must have to call the method. */
export const RequireScope = (scope: string) => SetMetadata(SCOPE, scope);

/** Tells a client whose token lacks a scope which one it needs, so that it can ask for it and come back. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const scope = this.reflector.get<string | undefined>(SCOPE, context.getHandler());
    const { user } = context.switchToHttp().getRequest<AuthorizedRequest>();
    if (scope === undefined || user?.scopes.includes(scope)) return true;
    throw new McpForbidden(challenge({ error: 'insufficient_scope', scope }));
  }
}
