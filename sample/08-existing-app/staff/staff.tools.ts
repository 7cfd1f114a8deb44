import { Injectable, ParseIntPipe } from '@nestjs/common';
import { McpArg, McpTool } from 'nestjs-mcp';
import { OrdersService } from '../orders/orders.service.js';

@Injectable()
export class StaffTools {
  constructor(private readonly orders: OrdersService) {}

  // The schema wants digits; the pipe makes a number of them.
  @McpTool({ name: 'cancel_order', description: 'Cancels an order for good', mode: 'destructive' })
  cancel(@McpArg('id', { schema: { type: 'string', pattern: '^[0-9]{1,9}$' } }, ParseIntPipe) id: number): string {
    const { article } = this.orders.cancel(id);
    return `The order of the ${article} was cancelled.`;
  }

  @McpTool({ name: 'staff_rota', description: 'Who works today', mode: 'read-only' })
  rota(): string {
    return 'Ada, Grace';
  }
}
