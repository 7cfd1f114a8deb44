import type { McpLogger } from '../protocol/logger.js';

/** Writes errors and warnings to stderr, where they are in nobody's way. */
export const stderrLogger: McpLogger = Object.freeze({
  error(message: string, error?: unknown) {
    const detail =
      error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : `a thrown ${typeof error}`;
    process.stderr.write(error === undefined ? `[Mcp] ${message}\n` : `[Mcp] ${message}: ${detail}\n`);
  },
  warn(message: string) {
    process.stderr.write(`[Mcp] ${message}\n`);
  },
  info: () => undefined,
  debug: () => undefined,
});
