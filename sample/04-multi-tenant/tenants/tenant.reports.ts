import { Injectable } from '@nestjs/common';
import type { McpCatalogSource, McpContext, McpToolEntry } from 'nestjs-mcp';
import type { Caller } from '../auth/callers.js';

/** One schema for all of them: it is compiled once. */
const INPUT = { type: 'object', properties: { year: { type: 'integer', minimum: 2000 } }, required: ['year'] };

// Stands for a table in which each company keeps the reports it has defined.
const REPORTS: Readonly<Record<Caller['tenant'], readonly string[]>> = {
  north: ['rent', 'visitors'],
  south: ['rent', 'harvest'],
};

function reportOf(tenant: Caller['tenant'], subject: string): McpToolEntry {
  return {
    kind: 'tool',
    name: `report_${subject}`,
    description: `The yearly report on ${subject}`,
    mode: 'read-only',
    input: INPUT,
    handler: ({ year }) => `${subject} of ${tenant} in ${String(year)}`,
  };
}

/** Gives each caller the tools of its company. It is asked at every request; entries are made once and kept. */
@Injectable()
export class TenantReports implements McpCatalogSource {
  private readonly tools = new Map<Caller['tenant'], readonly McpToolEntry[]>();

  entries({ identity }: McpContext): readonly McpToolEntry[] {
    const { tenant } = identity as Caller;
    let tools = this.tools.get(tenant);
    if (tools === undefined) {
      tools = REPORTS[tenant].map((subject) => reportOf(tenant, subject));
      this.tools.set(tenant, tools);
    }
    return tools;
  }
}
