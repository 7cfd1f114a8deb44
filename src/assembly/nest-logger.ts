import type { LoggerService } from '@nestjs/common';
import type { McpLogger } from '../protocol/logger.js';

/** Writes to the application's logger. */
export class NestLogger implements McpLogger {
  constructor(private readonly logger: Pick<LoggerService, 'error' | 'warn' | 'log' | 'debug'>) {}

  error(message: string, error?: unknown): void {
    if (error === undefined) this.logger.error(message);
    else this.logger.error(`${message}: ${textOf(error)}`, error instanceof Error ? error.stack : undefined);
  }

  warn(message: string): void {
    this.logger.warn(message);
  }

  info(message: string): void {
    this.logger.log(message);
  }

  debug(message: string): void {
    this.logger.debug?.(message);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : `a thrown ${typeof error}`;
}
