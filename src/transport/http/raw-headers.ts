import type { IncomingMessage } from 'node:http';

/**
 * Every value of a header, in order: Node keeps one line of some headers and joins those of others, yet each line is a
 * claim of the client that must hold. `name` is lower case.
 */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const key = rawHeaders[i];
    if (key !== undefined && key.length === name.length && key.toLowerCase() === name)
      values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}
