import { stdout } from './stdio-divert.js';
import { serveOver, type ServeStdioOptions, type StdioTarget } from './mcp.stdio.js';

export type { ServeStdioOptions, StdioTarget } from './mcp.stdio.js';

/**
 * Serves an application over stdin and stdout: one JSON-RPC message a line. Importing this module points everything else
 * that is printed to stderr. Rejects when the application does not start. When the client is gone, running calls are
 * drained, the application is closed, and the process ends with code 0.
 */
export async function serveStdio(target: StdioTarget, options: ServeStdioOptions = {}): Promise<void> {
  // The reader of stderr may be gone as well; an unheard log is no reason to crash.
  process.stderr.on('error', () => undefined);
  const { closed } = await serveOver(target, { ...options, input: process.stdin, output: stdout });
  void closed.then((byClient) => {
    // At a signal Nest ends the process itself, by that signal.
    if (byClient) process.exit(0);
  });
}
