import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { AuditObserver } from './gate/audit.observer.js';
import { ConfirmGate } from './gate/confirm.gate.js';
import { Nonces } from './gate/nonces.js';
import { TablesService } from './tables/tables.service.js';

@Module({
  imports: [
    McpModule.forRoot({
      server: { name: 'tables', version: '1.0.0' },
      allowedOrigins: [],
      guards: 'none',
      gate: ConfirmGate,
      observers: [AuditObserver],
    }),
  ],
  providers: [AuditObserver, ConfirmGate, Nonces, TablesService],
})
export class AppModule {}
