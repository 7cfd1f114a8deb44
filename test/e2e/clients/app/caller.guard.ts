import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';

interface Incoming {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  user?: string;
}

/** Believes the header `x-caller`. */
@Injectable()
export class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Incoming>();
    const caller = request.headers['x-caller'];
    if (typeof caller === 'string') request.user = caller;
    return true;
  }
}
