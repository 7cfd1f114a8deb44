import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { OrdersService } from './orders/orders.service.js';
import { AuditObserver } from './telemetry/audit.observer.js';

@Module({
  imports: [
    McpModule.forRoot({
      server: { name: 'orders', version: '1.0.0', title: 'Orders' },
      allowedOrigins: [],
      guards: 'none',
      observers: [AuditObserver],
      limits: { callTimeoutMs: 10_000, maxOutputBytes: 100_000, inFlight: 200, inFlightPerCaller: 20 },
    }),
  ],
  providers: [AuditObserver, OrdersService],
})
export class AppModule {}
