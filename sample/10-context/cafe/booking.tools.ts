import { Injectable } from '@nestjs/common';
import { IsBoolean, IsString, Length } from 'class-validator';
import { McpArg, McpContext, McpCtx, McpTool } from 'nestjs-mcp';
import { Tables } from './tables.js';

class GuestDto {
  @IsString()
  @Length(1, 40)
  name!: string;

  @IsBoolean()
  outside!: boolean;
}

@Injectable()
export class BookingTools {
  constructor(private readonly tables: Tables) {}

  @McpTool({ name: 'book_table', description: 'Books a table, asking the guest for the rest', mode: 'additive' })
  async book(
    @McpArg('guests', { schema: { type: 'integer', minimum: 1, maximum: 12 } }) guests: number,
    @McpCtx() context: McpContext,
  ): Promise<string> {
    // In revision 2026-07-28 an answer starts the method again: a step keeps its first value.
    const table = await context.step('hold', () => this.tables.hold(guests));
    const answer = await context.elicit<GuestDto>({ message: 'In whose name?', schema: GuestDto });
    if (answer.action !== 'accept') {
      this.tables.release(table);
      return 'Nothing was booked.';
    }
    const { name, outside } = answer.content;
    return `Table ${table} is booked for ${name}, ${outside ? 'outside' : 'inside'}.`;
  }

  @McpTool({ name: 'pay_deposit', description: 'Opens the page where the deposit is paid', mode: 'additive' })
  async payDeposit(@McpCtx() context: McpContext): Promise<string> {
    const { action } = await context.elicitUrl({
      message: 'Pay the deposit on our own page',
      url: 'https://pay.example.com/deposit',
    });
    return action === 'accept' ? 'The page was opened.' : 'The page was not opened.';
  }
}
