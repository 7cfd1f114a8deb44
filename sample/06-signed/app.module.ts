import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { LedgerService } from './ledger/ledger.service.js';
import { SignatureCheck } from './signature/signature.check.js';

@Module({
  imports: [
    McpModule.forRoot({
      server: { name: 'ledger', version: '1.0.0' },
      allowedOrigins: [],
      // Whoever holds the secret may call; who that is, the signature does not say.
      guards: 'none',
      rawBody: SignatureCheck,
      // Only bodies are signed, so there is nothing but POST.
      sessions: 'stateless',
    }),
  ],
  providers: [LedgerService, SignatureCheck],
})
export class AppModule {}
