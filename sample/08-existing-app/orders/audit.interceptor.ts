import { Injectable, Logger, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { McpExecutionContext } from 'nestjs-mcp';
import { finalize, type Observable } from 'rxjs';

/** Serves routes and tools alike; `getType()` tells them apart. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Audit');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const what =
      context.getType<string>() === 'mcp'
        ? `tool ${McpExecutionContext.create(context).getHandlerIdentity().name}`
        : `route ${context.getHandler().name}`;
    return next.handle().pipe(finalize(() => this.logger.log(what)));
  }
}
