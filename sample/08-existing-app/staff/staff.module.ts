import { Module } from '@nestjs/common';
import { OrdersModule } from '../orders/orders.module.js';
import { StaffTools } from './staff.tools.js';

@Module({ imports: [OrdersModule], providers: [StaffTools] })
export class StaffModule {}
