import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { TokenAuthenticator } from './auth/token.authenticator.js';
import { DocumentsService } from './documents/documents.service.js';
import { ByRole } from './documents/by-role.js';
import { TenantReports } from './tenants/tenant.reports.js';

@Module({
  imports: [
    McpModule.forRoot({
      server: { name: 'documents', version: '1.0.0' },
      allowedOrigins: [],
      guards: [TokenAuthenticator],
      visibility: ByRole,
      sources: [TenantReports],
    }),
  ],
  providers: [ByRole, DocumentsService, TenantReports, TokenAuthenticator],
})
export class AppModule {}
