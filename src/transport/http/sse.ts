/** Server-sent events as text (SSE-14). */

/** One event. Line breaks inside `data` become lines of their own, as the format wants it. */
export function sseEvent(data: string, id?: string): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  if (!/[\r\n]/.test(data)) return `${head}data: ${data}\n\n`;
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${head}${lines.join('')}\n`;
}

/** Before anything else is said: an id to come back with, when to, in ms, and empty data (RESM-05, RESM-06). */
export function ssePriming(id: string, retryMs: number): string {
  return `id: ${id}\nretry: ${retryMs}\ndata: \n\n`;
}

/** How long a client that was let go waits before it comes back, in ms (RESM-06). */
export function sseRetry(ms: number): string {
  return `retry: ${ms}\n\n`;
}

export const SSE_KEEP_ALIVE = ': keep-alive\n\n';
