import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';

/** Answers every exception of the application in its own form. */
@Catch()
export class CatchAllFilter implements ExceptionFilter<unknown> {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { failed: true, status }, status);
  }
}
