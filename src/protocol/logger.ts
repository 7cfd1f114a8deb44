/** Where refusal reasons and faults go. `error` is written with its stack; it never holds a caller's values. */
export interface McpLogger {
  error(message: string, error?: unknown): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}
