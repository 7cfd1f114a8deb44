import { HttpException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { authenticatedCaller, rememberCaller } from './authenticated.js';
import { McpUnauthorized } from './http-refusals.js';

/**
 * Says who sends a request, for applications without a guard that does: extend it and name the class in the option
 * `guards`. What `authenticate` answers is `context.identity` in every hook and handler, whatever is on `request.user`.
 * A refused request gets 401 before anything of its body is read; why is for the log alone.
 */
export abstract class McpAuthenticator<Identity = unknown> implements CanActivate {
  /**
   * The caller. `undefined`, `null`, `false` or an empty text is nobody, and a throw is a refusal too: 401. An
   * `HttpException` of another status is that answer, e.g. `McpForbidden` for 403; one of 500 and more is a failure.
   */
  abstract authenticate(request: object): Identity | undefined | Promise<Identity | undefined>;

  /** `WWW-Authenticate` of the 401; `error` is what `authenticate` threw, if it did. Default `Bearer`. */
  challenge?(request: object, error: unknown): string | undefined | Promise<string | undefined>;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<object>();
    // As a global guard it runs at the endpoint and again for each handler: the caller is known by then.
    if (context.getType<string>() === 'mcp' && authenticatedCaller(request)?.by === this) return true;
    let identity: unknown;
    let error: unknown;
    try {
      identity = await this.authenticate(request);
    } catch (thrown) {
      if (decidesAnswer(thrown)) throw thrown;
      error = thrown;
    }
    if (isNobody(identity)) throw await this.#refusal(request, error);
    rememberCaller(request, { identity, by: this });
    return true;
  }

  async #refusal(request: object, error: unknown): Promise<McpUnauthorized> {
    const reason = error === undefined ? 'authenticate() found nobody' : messageOf(error);
    try {
      return new McpUnauthorized(await this.challenge?.(request, error), reason);
    } catch (failure) {
      return new McpUnauthorized(undefined, `${reason}; challenge() failed: ${messageOf(failure)}`);
    }
  }
}

/** Anonymous callers are let in by `guards: 'none'` or by a guard, never by an authenticator's silence. */
function isNobody(identity: unknown): boolean {
  return identity === undefined || identity === null || identity === false || identity === '';
}

/** The host chose the status, or the challenge of the 401. */
function decidesAnswer(error: unknown): boolean {
  if (!(error instanceof HttpException)) return false;
  return error.getStatus() !== 401 || ('challenge' in error && typeof error.challenge === 'string');
}

/** Whatever else was thrown may be the credential itself. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'what was thrown is no Error';
}
