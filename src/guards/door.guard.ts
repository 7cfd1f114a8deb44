import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { isObservable, lastValueFrom } from 'rxjs';
import { hasPassed, passesDoor, type DoorRules } from './door.middleware.js';
import { takeOver } from './node-response.js';

/** The guard for one request. */
export type DoorKeeper = (request: object) => CanActivate | Promise<CanActivate>;

/** What the door needs to know; `keepers` are there once the application has started. */
export interface Door {
  readonly rules: DoorRules;
  readonly keepers: readonly DoorKeeper[];
  readonly logger: DoorLogger;
}

/** Where the reasons of refusals go; callers never see them. */
export interface DoorLogger {
  error(message: string, error?: unknown): void;
  debug(message: string): void;
}

export const DOOR = Symbol('nestjs-mcp:door');

/**
 * Runs the guards named in the options, in order, as `@UseGuards` in the host's own module would. They cannot be put on
 * the controller: they would be created in this package's module, where nothing they need is visible. Where a router
 * takes more spellings of the path than Nest's middleware does, the front door is passed here.
 */
@Injectable()
export class DoorGuard implements CanActivate {
  constructor(@Inject(DOOR) private readonly door: Door) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage & { readonly raw?: IncomingMessage }>();
    // An answered request ends in the filter, which finds the head sent.
    if (!this.#entered(request.raw ?? request, http.getResponse<object>())) return false;
    for (const keeper of this.door.keepers) {
      const found = keeper(request);
      const guard = found instanceof Promise ? await found : found;
      const verdict = await guard.canActivate(context);
      const allowed: unknown = isObservable(verdict) ? await lastValueFrom(verdict) : verdict;
      if (allowed === true) continue;
      // A description of a fault is no permission, however true it may be.
      if (allowed !== false) this.door.logger.error(`canActivate() of ${nameOf(guard)} must answer with true or false`);
      return false;
    }
    return true;
  }

  #entered(request: IncomingMessage, response: object): boolean {
    const { rules } = this.door;
    return hasPassed(rules, request) || passesDoor(() => rules, request, takeOver(response));
  }
}

function nameOf(guard: object): string {
  const made: unknown = guard.constructor;
  return typeof made === 'function' && made !== Object ? made.name : 'a guard';
}
