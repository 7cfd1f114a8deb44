import type { ArgumentsHost } from '@nestjs/common';
import type { McpContext } from '../protocol/context.js';
import { HandlerCall, type HandlerIdentity } from './handler-call.js';

/**
 * Typed view of what a guard, interceptor, filter or parameter decorator gets while a handler is called, that is when
 * `host.getType() === 'mcp'`.
 */
export class McpExecutionContext {
  /** Throws a `TypeError` when the host is not that of an MCP handler. */
  static create(host: ArgumentsHost): McpExecutionContext {
    const call: unknown = host.getArgByIndex(4);
    if (host.getType<string>() !== 'mcp' || !(call instanceof HandlerCall)) {
      throw new TypeError("Not an MCP handler's context: check getType() === 'mcp' first");
    }
    return new McpExecutionContext(host, call);
  }

  private constructor(
    private readonly host: ArgumentsHost,
    private readonly call: HandlerCall,
  ) {}

  /** Kind and name of the tool, resource, template, prompt or completion being called. */
  getHandlerIdentity(): HandlerIdentity {
    return this.call.handler;
  }

  /** Arguments of a tool or prompt after validation, variables of a template, `{ value, arguments }` of a completion. */
  getArguments<T = unknown>(): T {
    return this.host.getArgByIndex<T>(2);
  }

  getContext(): McpContext {
    return this.host.getArgByIndex<McpContext>(3);
  }

  /** The host's request object (Express or Fastify); a frozen stand-in over stdio. */
  getRequest<T = unknown>(): T {
    return this.host.getArgByIndex<T>(0);
  }
}
