import { QuestionTimeout } from '../call.js';
import type { EntryOf } from '../catalog/catalog-entries.js';
import { report } from '../failures.js';
import { decide, type Gate, type GateDecision } from '../gate.js';
import { isObject } from '../json/json.js';
import type { Question } from '../questions/questions.js';
import type { Reply } from '../reply.js';
import { toToolError, toToolResult } from '../results/tool-result.js';
import type { MethodCall } from './method.js';

/** The key under which a modern client is asked for consent. */
const CONSENT_KEY = 'confirm';
const NO_FIELDS = Object.freeze({ type: 'object', properties: {} });

type Confirm = Extract<GateDecision, { kind: 'confirm' }>;
type Answer = 'accept' | 'decline' | 'cancel' | 'timeout' | 'impossible';

const NO_GATES: readonly Gate[] = Object.freeze([]);

/** The gates of a tool, in the order in which they are asked. */
export function gatesOf(entry: EntryOf<'tool'>, { options }: MethodCall): readonly Gate[] {
  const { gate } = entry.definition;
  if (options.gate === undefined) return gate === undefined ? NO_GATES : [gate];
  return gate === undefined ? [options.gate] : [options.gate, gate];
}

/** Forms are what consent is asked by; a client that has none cannot be asked. */
function canConfirm({ call, context, questions }: MethodCall): boolean {
  const { elicitation } = context.clientCapabilities;
  if (questions === undefined || call.revision.elicitation === 'none' || !isObject(elicitation)) return false;
  return !call.revision.richForms || Object.hasOwn(elicitation, 'form') || !Object.hasOwn(elicitation, 'url');
}

async function consent({ message }: Confirm, request: MethodCall): Promise<Answer> {
  const { call, options, round, questions } = request;
  if (questions === undefined || !canConfirm(request)) return 'impossible';
  const question: Question = {
    key: CONSENT_KEY,
    method: 'elicitation/create',
    params: { ...(call.revision.richForms ? { mode: 'form' } : {}), message, requestedSchema: NO_FIELDS },
    timeoutMs: options.confirmTimeoutMs,
  };
  try {
    const answer = await (round === undefined ? questions.ask(question) : round.consent(question));
    const action = isObject(answer) ? answer['action'] : undefined;
    return action === 'accept' || action === 'decline' ? action : 'cancel';
  } catch (error) {
    if (error instanceof QuestionTimeout) return 'timeout';
    throw error;
  }
}

const REFUSED: Readonly<Record<Exclude<Answer, 'accept'>, string>> = {
  decline: 'The user declined',
  cancel: 'The user did not confirm',
  timeout: 'The user did not confirm in time',
  impossible: 'Confirmation is needed, and this client cannot ask for it',
};

/**
 * Asks the gates about a call whose arguments were checked. Undefined lets it run; a reply is its result instead. Fails
 * closed: a gate that throws denies.
 */
export async function gatekeep(
  gates: readonly Gate[],
  entry: EntryOf<'tool'>,
  args: Readonly<Record<string, unknown>>,
  request: MethodCall,
): Promise<Reply | undefined> {
  const { context, options, call } = request;
  const { definition } = entry;
  const shape = { revision: call.revision, ...(definition.output === undefined ? {} : { output: definition.output }) };
  let decision: GateDecision;
  try {
    decision = await decide(gates, context, definition, args);
  } catch (error) {
    context.decision = 'deny';
    context.gateFault = error;
    const reference = report(options, `The gate of ${definition.source}`, error);
    return toToolError(`The call was denied. Quote this reference to the operator: ${reference}`, undefined, shape);
  }
  context.decision = decision.kind;
  if (decision.kind === 'allow') return undefined;
  if (decision.kind === 'deny') return toToolError(decision.message, undefined, shape);
  const answer = await consent(decision, request);
  if (answer !== 'impossible') context.decision = answer;
  if (answer === 'accept') return undefined;
  if (decision.fallback !== undefined) return toToolResult(decision.fallback, { revision: call.revision });
  return toToolError(`${REFUSED[answer]}: ${decision.message}`, undefined, shape);
}
