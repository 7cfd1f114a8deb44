import { Injectable, Logger } from '@nestjs/common';
import type { McpCallEvent, McpObserver } from 'nestjs-mcp';

/** One line of the log for each call. */
@Injectable()
export class AuditObserver implements McpObserver {
  readonly #logger = new Logger('Audit');

  onCall({ method, name, ms, error = 'ok', resultBytes, identityKey = 'anonymous' }: McpCallEvent): void {
    this.#logger.log(`${identityKey} ${method} ${name}: ${error}, ${ms.toFixed(1)} ms, ${resultBytes} bytes`);
  }
}
