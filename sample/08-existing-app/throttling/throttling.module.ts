import { Module, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { McpExecutionContext } from 'nestjs-mcp';

/** At routes and at the endpoint nobody is known yet, so addresses are counted; a tool knows its caller. */
function trackerOf(request: { readonly ip?: string }, context: ExecutionContext): string {
  const address = request.ip ?? 'unknown';
  if (context.getType<string>() !== 'mcp') return address;
  return McpExecutionContext.create(context).getContext().identityKey ?? address;
}

/** The throttler of the application. It counts each route, each endpoint and each tool by itself. */
@Module({
  imports: [
    ThrottlerModule.forRoot({
      throttlers: [{ ttl: 60_000, limit: Number(process.env['REQUESTS_PER_MINUTE'] ?? 300) }],
      getTracker: trackerOf,
    }),
  ],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})
export class ThrottlingModule {}
