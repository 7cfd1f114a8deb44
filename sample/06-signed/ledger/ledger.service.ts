import { Injectable } from '@nestjs/common';
import { McpArg, McpTool } from 'nestjs-mcp';

@Injectable()
export class LedgerService {
  private balance = 0;

  @McpTool({ description: 'Books an amount in cents and answers with the balance', mode: 'additive' })
  book(@McpArg('cents', { schema: { type: 'integer' } }) cents: number): { readonly balance: number } {
    this.balance += cents;
    return { balance: this.balance };
  }
}
