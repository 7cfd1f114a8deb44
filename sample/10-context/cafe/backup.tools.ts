import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpCtx, McpTool } from 'nestjs-mcp';

@Injectable()
export class BackupTools {
  /** Clients that know tasks may run it as one and come back for the result. */
  @McpTool({ name: 'back_up', description: 'Copies the books of the café', mode: 'idempotent', task: 'allowed' })
  async backUp(
    @McpArg('books', { schema: { type: 'integer', minimum: 1, maximum: 100 } }) books: number,
    @McpCtx() context: McpContext,
  ): Promise<string> {
    for (let done = 0; done < books; done += 1) {
      context.progress(done, books, `Book ${done + 1}`);
      // Aborted when the client cancels, when it is gone, and when the application shuts down.
      await sleep(10, undefined, { signal: context.signal });
    }
    context.log('info', { copied: books }, 'backup');
    return `${books} books were copied.`;
  }
}
