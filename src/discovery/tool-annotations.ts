import type { ToolAnnotations, ToolDefinition } from '../protocol/catalog/entries.js';

type Mode = NonNullable<ToolDefinition['mode']>;

const HINTS: Readonly<Record<Mode, ToolAnnotations>> = {
  'read-only': { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  additive: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  idempotent: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
};

export function isMode(value: unknown): value is Mode {
  return typeof value === 'string' && Object.hasOwn(HINTS, value);
}

/** The hints of a mode, under those the author wrote. Without a mode only the written ones are sent. */
export function toolAnnotations(
  mode: Mode | undefined,
  written: ToolAnnotations | undefined,
): ToolAnnotations | undefined {
  if (mode === undefined) return written;
  return { ...HINTS[mode], ...written };
}
