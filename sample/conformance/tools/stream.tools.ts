import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpCtx, McpTool, McpContext } from 'nestjs-mcp';

/** Tools that speak before their result. */
@Injectable()
export class StreamTools {
  @McpTool({ name: 'test_tool_with_logging', description: 'Logs three messages while it runs' })
  async logging(@McpCtx() context: McpContext): Promise<string> {
    context.log('info', 'Tool execution started');
    await sleep(50);
    context.log('info', 'Tool processing data');
    await sleep(50);
    context.log('info', 'Tool execution completed');
    return 'Logged three messages.';
  }

  @McpTool({ name: 'test_logging_tool', description: 'Logs one message while it runs' })
  logOnce(@McpCtx() context: McpContext): string {
    context.log('info', 'A message of test_logging_tool');
    return 'Logged one message.';
  }

  @McpTool({ name: 'test_tool_with_progress', description: 'Reports progress while it runs' })
  async progress(@McpCtx() context: McpContext): Promise<string> {
    context.progress(0, 100, 'Started');
    await sleep(50);
    context.progress(50, 100, 'Half done');
    await sleep(50);
    context.progress(100, 100, 'Done');
    return 'Reported progress three times.';
  }

  @McpTool({ name: 'test_reconnection', description: 'Closes its stream early; the client comes back for the result' })
  async reconnection(@McpCtx() context: McpContext): Promise<string> {
    context.releaseStream({ retryMs: 500 });
    await sleep(100);
    return 'The result after the reconnection.';
  }
}
