import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { BearerGuard } from './auth/bearer.guard.js';
import { MetadataController } from './auth/metadata.controller.js';
import { ALLOWED_ORIGINS } from './config.js';
import { ReportsService } from './reports/reports.service.js';

@Module({
  imports: [
    McpModule.forRoot({
      server: { name: 'reports', version: '1.0.0' },
      allowedOrigins: ALLOWED_ORIGINS,
      guards: [BearerGuard],
    }),
  ],
  controllers: [MetadataController],
  providers: [ReportsService],
})
export class AppModule {}
