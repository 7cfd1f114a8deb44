import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { OrdersModule } from './orders/orders.module.js';
import { openingHours, Seasonal } from './orders/seasonal.js';
import { Settings, SettingsModule } from './staff/settings.module.js';
import { StaffModule } from './staff/staff.module.js';
import { staffOptions } from './staff/staff.options.js';
import { ThrottlingModule } from './throttling/throttling.module.js';

@Module({
  imports: [
    OrdersModule,
    StaffModule,
    ThrottlingModule,
    // Two servers: what everybody may call, and what the staff may.
    McpModule.forRoot({
      name: 'public',
      include: [OrdersModule],
      server: { name: 'shop', version: '1.0.0' },
      allowedOrigins: 'any',
      guards: 'none',
    }),
    McpModule.forRootAsync({
      name: 'staff',
      path: 'staff/mcp',
      include: [OrdersModule, StaffModule],
      imports: [SettingsModule],
      inject: [Settings],
      useFactory: staffOptions,
    }),
    McpModule.forFeature('public', [openingHours]),
  ],
  providers: [Seasonal],
})
export class AppModule {}
