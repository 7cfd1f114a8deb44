import type { ClientCapabilities } from '../call.js';
import type { ElicitUrlOutcome, Root, SampleResult } from '../context.js';
import { ErrorCode, McpError, ProtocolError } from '../errors.js';
import type { Parsed, Violation } from '../catalog/entries.js';
import { isObject } from '../json/json.js';
import type { Revision } from '../revisions.js';
import type { FormSchema } from '../server-options.js';

/** A question to the client as it stands in `inputRequests`, or is sent as a request (MRTR-04). */
export interface Question {
  readonly key: string;
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

/** How questions of one call reach the client. */
export interface Questions {
  /** Settles with the bare result of the question (MRTR-19), or rejects with `QuestionTimeout` or `McpError`. */
  ask(question: Question): Promise<unknown>;
  /** Values of side effects that already ran for this call. */
  readonly steps: Map<string, unknown>;
}

/** Refuses a question that the client did not declare: never a hang (META-12, MRTR-05, INIT-10). */
export function requireCapability(
  revision: Revision,
  capabilities: ClientCapabilities,
  path: readonly string[],
  what: string,
): void {
  let value: unknown = capabilities;
  for (const step of path) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  // `elicitation: {}` means forms only (ELIC-02).
  if (value === undefined && path[1] === 'form') {
    const elicitation = capabilities['elicitation'];
    if (isObject(elicitation) && !Object.hasOwn(elicitation, 'url')) value = {};
  }
  if (value !== undefined) return;
  if (revision.era === 'legacy') {
    throw new McpError(
      ErrorCode.InternalError,
      `The client cannot be asked for ${what}: it did not declare ${path.join('.')}`,
    );
  }
  let required: Record<string, unknown> = {};
  for (const step of [...path].reverse()) required = { [step]: required };
  throw new ProtocolError(ErrorCode.MissingRequiredClientCapability, `The client must support ${what}`, 400, {
    requiredCapabilities: required,
  });
}

function malformed(key: string, why: string): McpError {
  return new ProtocolError(ErrorCode.InvalidParams, `The answer to ${JSON.stringify(key)} ${why}`);
}

function describe(violations: readonly Violation[]): string {
  return violations.map(({ path, rule }) => `${path} ${rule}`).join('; ');
}

const ACTIONS = new Set(['accept', 'decline', 'cancel']);

type Accepted = { readonly action: 'accept'; readonly content: unknown } | { readonly action: 'decline' | 'cancel' };

/** Reads an ElicitResult of a form; the content is held against the form (ELIC-09, ELIC-11). */
export async function readFormAnswer(key: string, result: unknown, form: FormSchema): Promise<Accepted> {
  const action = isObject(result) ? result['action'] : undefined;
  if (!isObject(result) || typeof action !== 'string' || !ACTIONS.has(action)) {
    throw malformed(key, 'must have an action: accept, decline or cancel');
  }
  if (action !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' };
  const parsed: Parsed = await form.parse(result['content'] ?? {});
  if (!parsed.ok) throw malformed(key, `does not fit its form: ${describe(parsed.violations)}`);
  return { action: 'accept', content: parsed.value };
}

export function readUrlAnswer(key: string, result: unknown): ElicitUrlOutcome {
  const action = isObject(result) ? result['action'] : undefined;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    throw malformed(key, 'must have an action: accept, decline or cancel');
  }
  return { action };
}

/** Reads a CreateMessageResult (SAMP-11). */
export function readSample(key: string, result: unknown): SampleResult {
  if (!isObject(result)) throw malformed(key, 'must be an object');
  const { role, content, model, stopReason } = result;
  if (role !== 'user' && role !== 'assistant') throw malformed(key, 'must have a role: user or assistant');
  if (typeof model !== 'string') throw malformed(key, 'must name its model');
  if (!isObject(content) && !Array.isArray(content)) throw malformed(key, 'must have content');
  return { ...result, role, content, model, ...(typeof stopReason === 'string' ? { stopReason } : {}) };
}

/** Reads a ListRootsResult (ROOT-04). */
export function readRoots(key: string, result: unknown): readonly Root[] {
  const roots = isObject(result) ? result['roots'] : undefined;
  if (!Array.isArray(roots)) throw malformed(key, 'must have roots');
  return roots.map((root: unknown) => {
    if (!isObject(root) || typeof root['uri'] !== 'string') throw malformed(key, 'must give each root a uri');
    return { uri: root['uri'], ...(typeof root['name'] === 'string' ? { name: root['name'] } : {}) };
  });
}
