import type { ClientCapabilities } from '../../protocol/call.js';
import type { Root, SampleResult } from '../../protocol/context.js';
import { ErrorCode, McpError } from '../../protocol/errors.js';

/** What the user makes of an elicitation. */
export type ElicitAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

type Params = Readonly<Record<string, unknown>>;

/** How a client answers what servers ask; a question without its function is refused. */
export interface ClientAnswers {
  /** Gets the params of `elicitation/create`: the message and the form, or the URL. */
  elicit?(params: Params): ElicitAnswer | Promise<ElicitAnswer>;
  /** Gets the params of `sampling/createMessage`. */
  sample?(params: Params): SampleResult | Promise<SampleResult>;
  roots?(): readonly Root[] | Promise<readonly Root[]>;
}

/** What a client with these answers declares. */
export function capabilitiesFor({ elicit, sample, roots }: ClientAnswers): ClientCapabilities {
  return {
    ...(elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(sample === undefined ? {} : { sampling: { tools: {}, context: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/** The result of a question, in the words of the protocol. Rejects with `McpError` when nobody answers it. */
export async function answerTo(method: string, params: Params, answers: ClientAnswers): Promise<object> {
  if (method === 'ping') return {};
  if (method === 'elicitation/create' && answers.elicit !== undefined) return answers.elicit(params);
  if (method === 'sampling/createMessage' && answers.sample !== undefined) return answers.sample(params);
  if (method === 'roots/list' && answers.roots !== undefined) return { roots: await answers.roots() };
  throw new McpError(ErrorCode.MethodNotFound, `The client was given no answer to ${method}`);
}
