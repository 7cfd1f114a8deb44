import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Injectable } from '@nestjs/common';
import { McpContext, McpCtx, McpTool } from 'nestjs-mcp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS, start, type Running } from './nest-app.js';
import { hostModule } from './nest-fixture.js';

@Injectable()
class Jobs {
  @McpTool({ task: 'always' })
  async ask(@McpCtx() context: McpContext): Promise<string> {
    await sleep(10);
    const outcome = await context.elicit<{ name: string }>({
      message: 'Who?',
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    return `Hello ${outcome.action === 'accept' ? outcome.content.name : outcome.action}`;
  }

  @McpTool({ task: 'allowed' })
  async forever(@McpCtx() context: McpContext): Promise<void> {
    await sleep(60_000, undefined, { signal: context.signal, ref: false });
  }
}

describe.each(PLATFORMS)('tasks of the official 2025-11-25 client, on %s', (platform) => {
  let running: Running;
  let client: Client;

  beforeAll(async () => {
    running = await start(platform, hostModule({ providers: [Jobs], options: { sessions: {} } }));
    client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {}, tasks: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      expect(params._meta?.['io.modelcontextprotocol/related-task']).toMatchObject({
        taskId: expect.any(String) as string,
      });
      return { action: 'accept', content: { name: 'Ann' } };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(running.url())));
    await client.listTools();
  });

  afterAll(async () => {
    await client.close();
    await running.app.close();
  });

  it('are created, ask their question through tasks/result and give their result', async () => {
    const kinds: string[] = [];
    let text: unknown;
    for await (const message of client.experimental.tasks.callToolStream({ name: 'ask' }, undefined, { task: {} })) {
      kinds.push(message.type);
      if (message.type === 'error') throw message.error;
      if (message.type === 'result') text = message.result.content;
    }
    expect(kinds[0]).toBe('taskCreated');
    expect(text).toEqual([{ type: 'text', text: 'Hello Ann' }]);
  });

  it('are listed, and cancelled', async () => {
    const stream = client.experimental.tasks.callToolStream({ name: 'forever' }, undefined, { task: { ttl: 30_000 } });
    const created = await stream.next();
    const taskId = created.value?.type === 'taskCreated' ? created.value.task.taskId : '';
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks.find((task) => task.taskId === taskId)).toMatchObject({ status: 'working', ttl: 30_000 });
    expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'cancelled' });
  });
});

it('running at shutdown do not hold the application', async () => {
  const running = await start('express', hostModule({ providers: [Jobs], options: { sessions: {} } }));
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { tasks: {} } });
  await client.connect(new StreamableHTTPClientTransport(new URL(running.url())));
  await client.experimental.tasks.callToolStream({ name: 'forever' }, undefined, { task: {} }).next();
  const begun = Date.now();
  await running.app.close();
  expect(Date.now() - begun).toBeLessThan(15_000);
  await client.close();
});
