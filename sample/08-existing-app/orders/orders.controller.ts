import { Controller, Get, Param, ParseIntPipe, UseInterceptors } from '@nestjs/common';
import { McpArg, McpTool } from 'nestjs-mcp';
import { AuditInterceptor } from './audit.interceptor.js';
import { OrdersService, type Order } from './orders.service.js';

/** A controller of the application; one of its routes is a tool as well. */
@Controller('orders')
@UseInterceptors(AuditInterceptor)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get(':id')
  @McpTool({ name: 'get_order', description: 'One order by its number', mode: 'read-only' })
  find(@Param('id', ParseIntPipe) @McpArg('id', { schema: { type: 'integer' } }) id: number): Order {
    return this.orders.find(id);
  }
}
