import type { Violation } from '../catalog/entries.js';
import { ErrorCode, ProtocolError } from '../errors.js';
import { toPromptResult } from '../results/prompt-result.js';
import type { Reply } from '../reply.js';
import { dispatched } from './dispatch.js';
import type { Method, MethodCall } from './method.js';
import { argumentsParam, stringParam } from './params.js';

function reason(violations: readonly Violation[]): string {
  return violations.map(({ path, rule }) => `${path} ${rule}`).join('; ');
}

export function unknownPrompt(name: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, 'Unknown prompt', 200, { name });
}

async function get(request: MethodCall): Promise<Reply> {
  const { message, call, context, resolver } = request;
  const name = stringParam(message.params, 'name');
  const entry = await resolver.find('prompt', name, context);
  if (entry === undefined) throw unknownPrompt(name);
  const { definition } = entry;
  const parsed = await definition.input.parse(argumentsParam(message.params));
  if (!parsed.ok) {
    throw new ProtocolError(ErrorCode.InvalidParams, 'Invalid prompt arguments', 200, {
      name,
      reason: reason(parsed.violations),
    });
  }
  return dispatched(definition, request, async () =>
    toPromptResult(await definition.handler(parsed.value, context), call.revision),
  );
}

export const promptMethods: readonly (readonly [string, Method])[] = [['prompts/get', get]];
