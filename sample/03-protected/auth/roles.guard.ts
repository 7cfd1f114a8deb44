import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthorizedRequest } from './callers.js';

const ROLES = 'roles';

/** Who may call the method. */
export const Roles = (...roles: readonly string[]) => SetMetadata(ROLES, roles);

/** The guard of an ordinary Nest application: it serves HTTP routes and tools alike. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const allowed = this.reflector.getAllAndOverride<readonly string[] | undefined>(ROLES, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (allowed === undefined) return true;
    const { user } = context.switchToHttp().getRequest<AuthorizedRequest>();
    return user !== undefined && allowed.some((role) => user.roles.includes(role));
  }
}
