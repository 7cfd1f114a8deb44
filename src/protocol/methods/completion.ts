import { matcherOf } from '../catalog/catalog.js';
import { toCompletion } from '../results/completion-result.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import { isObject } from '../json/json.js';
import type { Reply } from '../reply.js';
import { dispatched } from './dispatch.js';
import type { Method, MethodCall } from './method.js';
import { objectParam, stringParam } from './params.js';
import { unknownPrompt } from './prompts.js';

interface Reference {
  readonly type: string;
  readonly name: string;
  /** What observers call it: the name of the prompt or template. */
  readonly label: string;
  /** Arguments or variables that exist there. */
  readonly names: readonly string[];
}

async function reference({ message, resolver, context }: MethodCall): Promise<Reference> {
  const ref = objectParam(message.params, 'ref');
  const type = stringParam(ref, 'type', 'params.ref.type');
  if (type === 'ref/prompt') {
    const name = stringParam(ref, 'name', 'params.ref.name');
    const entry = await resolver.find('prompt', name, context);
    if (entry === undefined) throw unknownPrompt(name);
    return { type, name, label: name, names: entry.definition.arguments.map((argument) => argument.name) };
  }
  if (type === 'ref/resource') {
    const uri = stringParam(ref, 'uri', 'params.ref.uri');
    const template = await resolver.find('template', uri, context);
    if (template !== undefined) {
      return { type, name: uri, label: template.definition.name, names: matcherOf(template).variables };
    }
    // A resource without variables may be named too: there is nothing to complete in it.
    const resource = await resolver.find('resource', uri, context);
    if (resource !== undefined) return { type, name: uri, label: resource.definition.name, names: [] };
    throw new ProtocolError(ErrorCode.InvalidParams, 'Unknown resource template', 200, { uri });
  }
  throw new ProtocolError(ErrorCode.InvalidParams, 'params.ref.type must be ref/prompt or ref/resource');
}

/** Values already chosen (COMP-03); only texts, as prompts and templates have them. */
function chosen({ message, call }: MethodCall): Record<string, string> {
  const context = call.revision.completionContext ? message.params['context'] : undefined;
  const values = isObject(context) ? context['arguments'] : undefined;
  if (!isObject(values)) return {};
  return Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

async function complete(request: MethodCall): Promise<Reply> {
  const { message, resolver, context } = request;
  const { type, name, label, names } = await reference(request);
  const argument = objectParam(message.params, 'argument');
  const argumentName = stringParam(argument, 'name', 'params.argument.name');
  const value = stringParam(argument, 'value', 'params.argument.value');
  if (!names.includes(argumentName)) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'Unknown argument', 200, {
      name,
      reason: 'it has no such argument',
    });
  }
  const completion = await resolver.completion({ type, name, argument: argumentName }, context);
  if (completion === undefined) return toCompletion([]);
  const { kind, source, handler } = completion;
  return dispatched({ kind, name: label, source }, request, async () =>
    toCompletion(await handler({ value, arguments: chosen(request) }, context)),
  );
}

export const completionMethods: readonly (readonly [string, Method])[] = [['completion/complete', complete]];
