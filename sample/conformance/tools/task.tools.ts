import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ErrorCode, McpArg, McpContext, McpCtx, McpError, McpTool, McpToolError } from 'nestjs-mcp';

/**
 * Work that may outlive its request. A client without tasks waits for it instead. What a tool asks before it waits for
 * anything travels with the call (2026-07-28: `input_required`); what it asks later, the task asks.
 */
@Injectable()
export class TaskTools {
  @McpTool({ name: 'slow_compute', description: 'Works for some seconds', task: 'allowed' })
  async slowCompute(
    @McpArg('seconds', { schema: { type: 'number', minimum: 0, maximum: 60 } }) seconds: number,
    @McpCtx() context: McpContext,
    @McpArg('label') label = 'work',
  ): Promise<string> {
    await sleep(seconds * 1_000, undefined, { signal: context.signal });
    return `${label}: done after ${seconds} s`;
  }

  @McpTool({ name: 'failing_job', description: 'Fails after a second', task: 'always' })
  async failingJob(@McpCtx() context: McpContext): Promise<never> {
    await sleep(1_000, undefined, { signal: context.signal });
    throw new McpToolError('The job failed');
  }

  @McpTool({ name: 'protocol_error_job', description: 'Ends in a protocol error', task: 'allowed' })
  protocolErrorJob(): never {
    throw new McpError(ErrorCode.InternalError, 'The job ended in a protocol error');
  }

  @McpTool({ name: 'confirm_delete', description: 'Asks before it deletes', task: 'allowed' })
  async confirmDelete(@McpArg('filename') filename: string, @McpCtx() context: McpContext): Promise<string> {
    await sleep(20, undefined, { signal: context.signal });
    const outcome = await context.elicit<{ confirm: boolean }>({
      message: `Delete ${filename}?`,
      schema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
    });
    return outcome.action === 'accept' && outcome.content.confirm ? `Deleted ${filename}` : `Kept ${filename}`;
  }

  @McpTool({ name: 'multi_input', description: 'Asks two questions at once', task: 'allowed' })
  async multiInput(@McpCtx() context: McpContext): Promise<string> {
    const ask = (name: string) =>
      context.elicit({
        key: name,
        message: `Your ${name}?`,
        schema: { type: 'object', properties: { [name]: { type: 'string' } } },
      });
    await sleep(20, undefined, { signal: context.signal });
    const outcomes = await Promise.all([ask('first'), ask('second')]);
    return `Answers: ${outcomes.map(({ action }) => action).join(', ')}`;
  }

  @McpTool({ name: 'test_tool_with_task', description: 'Asks for a name, then works as a task', task: 'always' })
  async askThenWork(@McpCtx() context: McpContext): Promise<string> {
    const outcome = await context.elicit<{ name: string }>({
      key: 'user_name',
      message: 'What is your name?',
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    return `Worked for ${outcome.action === 'accept' ? outcome.content.name : 'nobody'}`;
  }
}
