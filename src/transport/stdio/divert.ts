import type { PipeOutput } from './outbox.js';

let stdout: PipeOutput | undefined;

/**
 * Points `process.stdout.write` at stderr, so that what `console`, a logger or a dependency prints cannot get between
 * protocol messages (STDIO-02). Answers with the real stdout, for the transport alone. A second call changes nothing
 * and answers the same.
 */
export function divertStdout(): PipeOutput {
  if (stdout !== undefined) return stdout;
  const write = process.stdout.write.bind(process.stdout);
  stdout = {
    write: (text) => write(text),
    on: (event, listener) => process.stdout.on(event, listener),
    off: (event, listener) => process.stdout.off(event, listener),
  };
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return stdout;
}
