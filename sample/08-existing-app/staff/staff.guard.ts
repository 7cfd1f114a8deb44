import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { McpUnauthorized } from 'nestjs-mcp';
import { Settings } from './settings.module.js';

interface StaffRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** For the demonstration only: compare secrets in constant time, or better, verify signed tokens. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<StaffRequest>();
    if (headers['authorization'] === `Bearer ${this.settings.staffKey}`) return true;
    throw new McpUnauthorized('Bearer realm="staff"');
  }
}
