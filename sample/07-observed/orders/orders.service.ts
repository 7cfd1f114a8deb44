import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { McpArg, McpCtx, McpTool, McpToolError, type McpContext } from 'nestjs-mcp';

interface Order {
  readonly number: number;
  readonly state: 'open' | 'shipped';
}

const ORDERS: readonly Order[] = [
  { number: 1, state: 'shipped' },
  { number: 2, state: 'open' },
];
const tracer = trace.getTracer('orders');

@Injectable()
export class OrdersService {
  @McpTool({ description: 'The state of an order', mode: 'read-only' })
  async findOrder(@McpArg('number') number: number): Promise<Order> {
    const order = await this.#query(number);
    if (order === undefined) throw new McpToolError('There is no such order');
    return order;
  }

  /** Two at once, and none longer than half a second. */
  @McpTool({ description: 'Counts all orders, slowly', mode: 'read-only', timeoutMs: 500, maxConcurrent: 2 })
  async countOrders(@McpArg('seconds') seconds: number, @McpCtx() { signal }: McpContext): Promise<number> {
    await sleep(seconds * 1_000, undefined, { signal });
    return ORDERS.length;
  }

  /** Its span is a child of the span of the call. */
  #query(wanted: number): Promise<Order | undefined> {
    return tracer.startActiveSpan('select order', async (span) => {
      await sleep(2);
      span.setStatus({ code: SpanStatusCode.OK }).end();
      return ORDERS.find(({ number }) => number === wanted);
    });
  }
}
