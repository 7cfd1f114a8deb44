import { Injectable, NotFoundException } from '@nestjs/common';

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
