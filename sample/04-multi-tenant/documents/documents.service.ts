import { Injectable, Logger } from '@nestjs/common';
import { McpArg, McpIdentity, McpTool } from 'nestjs-mcp';
import type { Caller } from '../auth/callers.js';

@Injectable()
export class DocumentsService {
  private readonly logger = new Logger('Documents');
  private readonly titles: Record<Caller['tenant'], string[]> = {
    north: ['Lease of the north office', 'Plan of the north hall'],
    south: ['Lease of the south office'],
  };

  @McpTool({ description: 'Finds documents of your company by a word of their title', mode: 'read-only' })
  search(@McpArg('word') word: string, @McpIdentity() { tenant }: Caller): readonly string[] {
    return this.titles[tenant].filter((title) => title.toLowerCase().includes(word.toLowerCase()));
  }

  /** Only administrators know that it exists: see `by-role.ts`. */
  @McpTool({ description: 'Removes every document', mode: 'destructive', commandClass: 'administration' })
  wipe(@McpIdentity() { tenant, sub }: Caller): string {
    this.titles[tenant] = [];
    this.logger.log(`wiped by ${sub}`);
    return 'All documents are gone.';
  }
}
