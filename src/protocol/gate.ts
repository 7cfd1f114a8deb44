import type { McpContext } from './context.js';
import type { ToolDefinition } from './catalog/entries.js';

/** What the host decides about one call, after its arguments were checked and before the tool runs. */
export type GateDecision =
  | { readonly kind: 'allow' }
  /** The tool does not run; the model reads the message. */
  | { readonly kind: 'deny'; readonly message: string }
  /** The user is asked. Where nobody can be asked, or the user refuses, `fallback` is the result of the call. */
  | { readonly kind: 'confirm'; readonly message: string; readonly fallback?: unknown };

export const allow: GateDecision = Object.freeze({ kind: 'allow' });

export function deny(message: string): GateDecision {
  return { kind: 'deny', message };
}

/** `fallback` is anything a tool may return. */
export function confirm(message: string, fallback?: unknown): GateDecision {
  return fallback === undefined ? { kind: 'confirm', message } : { kind: 'confirm', message, fallback };
}

/** What a gate knows of a tool. */
export type GatedTool = Pick<
  ToolDefinition,
  'name' | 'title' | 'description' | 'annotations' | 'mode' | 'commandClass' | 'meta' | 'source'
>;

/** Decides about a call. A gate that throws, or answers anything else, denies. */
export type Gate = (
  context: McpContext,
  tool: GatedTool,
  args: Readonly<Record<string, unknown>>,
) => GateDecision | Promise<GateDecision>;

function isDecision(value: unknown): value is GateDecision {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  if (value.kind === 'allow') return true;
  return (value.kind === 'deny' || value.kind === 'confirm') && 'message' in value && typeof value.message === 'string';
}

/** A gate answered with something that is no decision. */
export class GateContractError extends Error {
  override readonly name = 'GateContractError';

  constructor() {
    super('A gate must answer with allow, deny(message) or confirm(message, fallback?)');
  }
}

/**
 * Asks the gates in order and answers with the strictest decision: the first denial ends it, a wish for confirmation
 * outweighs permission. Rejects when a gate throws or breaks its contract: the caller then denies.
 */
export async function decide(
  gates: readonly Gate[],
  context: McpContext,
  tool: GatedTool,
  args: Readonly<Record<string, unknown>>,
): Promise<GateDecision> {
  let verdict: GateDecision = allow;
  for (const gate of gates) {
    const decision: unknown = await gate(context, tool, args);
    if (!isDecision(decision)) throw new GateContractError();
    if (decision.kind === 'deny') return decision;
    if (decision.kind === 'confirm' && verdict.kind === 'allow') verdict = decision;
  }
  return verdict;
}
