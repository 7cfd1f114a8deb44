import { Injectable, NotFoundException } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { McpArg, McpTool } from 'nestjs-mcp';

export interface Order {
  readonly id: number;
  readonly article: string;
  readonly state: 'open' | 'cancelled';
}

@Injectable()
export class OrdersService {
  private readonly orders = new Map<number, Order>([
    [1, { id: 1, article: 'Kettle', state: 'open' }],
    [2, { id: 2, article: 'Lamp', state: 'open' }],
  ]);

  /** A method of the application that is a tool as well, and a costly one: its own limit, as a route would have it. */
  @McpTool({ name: 'search_orders', description: 'Orders by a word of their article', mode: 'read-only' })
  @Throttle({ default: { limit: 3, ttl: 60_000 } })
  search(@McpArg('word') word: string): readonly Order[] {
    return [...this.orders.values()].filter(({ article }) => article.toLowerCase().includes(word.toLowerCase()));
  }

  find(id: number): Order {
    const order = this.orders.get(id);
    if (order === undefined) throw new NotFoundException(`There is no order ${id}.`);
    return order;
  }

  cancel(id: number): Order {
    const cancelled: Order = { ...this.find(id), state: 'cancelled' };
    this.orders.set(id, cancelled);
    return cancelled;
  }
}
