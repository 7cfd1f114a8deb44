import type { Call, RequestMessage } from '../call.js';
import { canonicalText } from '../json/canonical.js';
import { encode } from '../results/encoder.js';
import { META } from '../envelope.js';
import { isObject } from '../json/json.js';
import type { Question, Questions } from './questions.js';
import type { Reply } from '../reply.js';
import { invalidState, readInputResponses, Round } from './round.js';
import type { ServerOptions } from '../server-options.js';
import type { StateBinding } from './state.js';

/** Only these may answer `input_required` (MRTR-02). */
const REPLAYED: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Handshake revisions: a question is a request on the stream of the call that asks. */
class LiveQuestions implements Questions {
  readonly steps = new Map<string, unknown>();

  constructor(private readonly ask_: NonNullable<Call['channel']['ask']>) {}

  ask({ method, params, timeoutMs }: Question): Promise<unknown> {
    return this.ask_(method, params, { timeoutMs });
  }
}

function bindingOf(message: RequestMessage, call: Call): StateBinding {
  const { name, uri, arguments: args } = message.params;
  // Of several names only the one that the method goes by: others are the client's to choose.
  const named = message.method === 'resources/read' ? uri : name;
  const target = typeof named === 'string' ? named : '';
  return { identityKey: call.identityKey, method: message.method, target, argumentsText: canonicalText(args ?? {}) };
}

async function reopened(text: unknown, message: RequestMessage, call: Call, options: ServerOptions): Promise<Round> {
  const responses = readInputResponses(message.params);
  const binding = bindingOf(message, call);
  const opened = typeof text === 'string' ? await options.sealer.open(text, binding) : undefined;
  if (opened === undefined) throw invalidState();
  return new Round({ responses, opened, binding }, options.defer);
}

const ASKABLE = ['elicitation', 'sampling', 'roots'];

function canBeAsked({ _meta }: RequestMessage['params']): boolean {
  const capabilities = isObject(_meta) ? _meta[META.clientCapabilities] : undefined;
  return isObject(capabilities) && ASKABLE.some((kind) => Object.hasOwn(capabilities, kind));
}

/** How this call may ask its client; undefined when it cannot. */
export function questionsFor(
  message: RequestMessage,
  call: Call,
  options: ServerOptions,
): Questions | undefined | Promise<Round> {
  if (call.revision.serverRequests) {
    const { channel } = call;
    return channel.ask === undefined ? undefined : new LiveQuestions(channel.ask.bind(channel));
  }
  if (!REPLAYED.has(message.method)) return undefined;
  const { params } = message;
  if (Object.hasOwn(params, 'requestState')) return reopened(params['requestState'], message, call, options);
  const binding = canBeAsked(params) ? bindingOf(message, call) : undefined;
  return new Round({ responses: readInputResponses(params), opened: undefined, binding }, options.defer);
}

/** The result that ends a pass: what to ask, and the state to bring back (MRTR-03). */
export function inputRequired(round: Round, message: RequestMessage, call: Call, options: ServerOptions): Reply {
  const state = options.sealer.seal(round.state, round.binding ?? bindingOf(message, call));
  return {
    members: `"inputRequests":${encode(round.requests)},"requestState":${JSON.stringify(state)}`,
    resultType: 'input_required',
  };
}
