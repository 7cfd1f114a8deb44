import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { BackupTools } from './cafe/backup.tools.js';
import { BookingTools } from './cafe/booking.tools.js';
import { ClientTools } from './cafe/client.tools.js';
import { Tables } from './cafe/tables.js';

@Module({
  imports: [McpModule.forRoot({ server: { name: 'café', version: '1.0.0' }, allowedOrigins: [], guards: 'none' })],
  providers: [Tables, BackupTools, BookingTools, ClientTools],
})
export class AppModule {}
