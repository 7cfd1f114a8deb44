import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpArg, McpCtx, McpTool, type McpContext } from 'nestjs-mcp';

/** Tools whose answers take a while, and which are told when to go on. */
@Injectable()
export class Streams {
  readonly #gates = new Map<string, () => void>();

  /** Calls that wait at a gate. */
  get waiting(): number {
    return this.#gates.size;
  }

  /** Reports one step, waits to be let through by `open`, and reports two more. */
  @McpTool()
  async counted(@McpArg('gate') gate: string, @McpCtx() context: McpContext): Promise<string> {
    context.progress(1, 3, gate);
    await new Promise<void>((resolve) => this.#gates.set(gate, resolve));
    context.progress(2, 3, gate);
    context.progress(3, 3, gate);
    return `counted ${gate}`;
  }

  @McpTool()
  open(@McpArg('gate') gate: string): string {
    this.#gates.get(gate)?.();
    return this.#gates.delete(gate) ? 'opened' : 'unknown';
  }

  /** Lets its client go, and answers when it has come back. */
  @McpTool()
  async release(@McpArg('gate') gate: string, @McpCtx() context: McpContext): Promise<string> {
    context.releaseStream({ retryMs: 50 });
    await new Promise<void>((resolve) => this.#gates.set(gate, resolve));
    return `released ${gate}`;
  }

  /** Gives the text back, with the caller's name, after a few turns of the event loop; with or without a stream. */
  @McpTool({
    input: {
      type: 'object',
      properties: { text: { type: 'string' }, ms: { type: 'integer', minimum: 0, maximum: 50 } },
      required: ['text', 'ms'],
    },
  })
  async echo({ text, ms }: { text: string; ms: number }, context: McpContext): Promise<string> {
    context.progress(1, 1, text);
    await sleep(ms);
    return `${String(context.identity)}: ${text}`;
  }
}
