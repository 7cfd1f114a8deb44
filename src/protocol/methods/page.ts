import { decodeCursor, encodeCursor } from '../catalog/cursor.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import { startAfter } from '../catalog/section.js';
import type { MethodCall } from './method.js';

interface Keyed {
  readonly key: string;
}

/** A list of which pages are asked for. */
export interface PagedList<T extends Keyed> {
  /** Its name in cursors. */
  readonly name: string;
  /** Sorted by key. */
  readonly items: readonly T[];
  /** What all keys begin with: the cursor of another list of this name is refused. */
  readonly prefix?: string;
}

export interface Page<T extends Keyed> {
  readonly items: readonly T[];
  /** `,"nextCursor":…` where the list goes on, else nothing. */
  readonly next: string;
}

/** Where the page begins that the request asks for. Throws -32602 for a cursor of another list. */
export function startOf<T extends Keyed>({ name, items, prefix }: PagedList<T>, { message }: MethodCall): number {
  // An empty string is a cursor, and a bad one (PAGE-02); null is what some clients write for none.
  const key = decodeCursor(Object.hasOwn(message.params, 'cursor') ? message.params['cursor'] : undefined, name);
  if (key !== undefined && prefix !== undefined && !key.startsWith(prefix)) {
    throw new ProtocolError(ErrorCode.InvalidParams, `cursor belongs to another ${name}`);
  }
  return startAfter(items, key);
}

export function pageOf<T extends Keyed>({ name, items }: PagedList<T>, start: number, size: number): Page<T> {
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  const more = last !== undefined && start + size < items.length;
  return { items: page, next: more ? `,"nextCursor":${JSON.stringify(encodeCursor(name, last.key))}` : '' };
}
