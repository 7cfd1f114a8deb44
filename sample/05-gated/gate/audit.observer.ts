import { Injectable, Logger } from '@nestjs/common';
import type { McpCallEvent, McpObserver } from 'nestjs-mcp';

/** One line for each call, with what the gate made of it. */
@Injectable()
export class AuditObserver implements McpObserver {
  private readonly logger = new Logger('Audit');

  onCall({ name, decision, isError, ms }: McpCallEvent): void {
    this.logger.log(`${name}: ${decision}, ${isError ? 'failed' : 'done'} after ${ms.toFixed(1)} ms`);
  }
}
