import { Injectable } from '@nestjs/common';
import type { McpCatalogEntry, McpContext, McpVisibility } from 'nestjs-mcp';
import type { Caller } from '../auth/callers.js';

/** Administrators see what administers, users see the rest. What is hidden cannot be told from what does not exist. */
@Injectable()
export class ByRole implements McpVisibility {
  isVisible({ definition }: McpCatalogEntry, context: McpContext): boolean {
    const { role } = context.identity as Caller;
    const administers = definition.kind === 'tool' && definition.commandClass === 'administration';
    return administers === (role === 'administrator');
  }
}
