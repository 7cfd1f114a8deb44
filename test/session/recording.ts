import type { McpLogger } from '../../src/protocol/logger.js';
import type { Outlet } from '../../src/session/session-stream.js';

/** A logger that keeps what it was told. */
export class RecordingLogger implements McpLogger {
  readonly errors: string[] = [];

  error(message: string): void {
    this.errors.push(message);
  }
  warn(): void {}
  info(): void {}
  debug(): void {}
}

/** An outlet that keeps what was written. */
export class RecordingOutlet implements Outlet {
  readonly events: { readonly data: string; readonly id: string }[] = [];
  ended = false;

  event(data: string, id: string): void {
    this.events.push({ data, id });
  }
  end(): void {
    this.ended = true;
  }
  get texts(): string[] {
    return this.events.map(({ data }) => data);
  }
}

/** Settles after pending callbacks of this turn and the next. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
