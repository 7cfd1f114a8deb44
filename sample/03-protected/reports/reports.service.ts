import { Injectable, UseGuards } from '@nestjs/common';
import { McpArg, McpIdentity, McpTool } from 'nestjs-mcp';
import type { Caller } from '../auth/callers.js';
import { Roles, RolesGuard } from '../auth/roles.guard.js';
import { RequireScope, ScopeGuard } from '../auth/scope.guard.js';

@Injectable()
@UseGuards(RolesGuard, ScopeGuard)
export class ReportsService {
  private readonly titles = ['Figures of the year'];

  @McpTool({ description: 'Who is calling, as the server sees it', mode: 'read-only' })
  whoami(@McpIdentity() caller: Caller): string {
    return caller.sub;
  }

  @McpTool({ name: 'list_reports', description: 'Titles of all reports', mode: 'read-only' })
  list(): string {
    return this.titles.join('\n');
  }

  @McpTool({ name: 'publish_report', description: 'Publishes a report', mode: 'additive' })
  @RequireScope('reports:write')
  publish(@McpArg('title') title: string): string {
    this.titles.push(title);
    return `Published as number ${this.titles.length}.`;
  }

  @McpTool({ name: 'delete_reports', description: 'Deletes all reports', mode: 'destructive' })
  @Roles('admin')
  deleteAll(): string {
    this.titles.length = 0;
    return 'All reports are gone.';
  }
}
