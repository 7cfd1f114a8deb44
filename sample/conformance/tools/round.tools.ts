import { Injectable } from '@nestjs/common';
import { McpContext, McpCtx, McpTool, type ElicitOutcome } from 'nestjs-mcp';
import { describeOutcome, spokenText, userSays } from './answers.js';

function formOf(name: string, type: 'string' | 'boolean') {
  return { type: 'object', properties: { [name]: { type } }, required: [name] };
}

const NAME = formOf('name', 'string');
const OK = formOf('ok', 'boolean');

function nameIn(outcome: ElicitOutcome<{ name: string }>): string {
  return outcome.action === 'accept' ? outcome.content.name : 'stranger';
}

/**
 * Calls that need answers: with 2026-07-28 each is replayed until the client has given them all. The keys are those the
 * suite looks for; without them every question would get one of its own.
 */
@Injectable()
export class RoundTools {
  @McpTool({ name: 'test_input_required_result_elicitation', description: 'Asks for a name' })
  async elicitation(@McpCtx() context: McpContext): Promise<string> {
    const outcome = await context.elicit<{ name: string }>({
      key: 'user_name',
      message: 'What is your name?',
      schema: NAME,
    });
    return `Hello, ${nameIn(outcome)}!`;
  }

  @McpTool({ name: 'test_input_required_result_sampling', description: 'Asks the model of the client' })
  async sampling(@McpCtx() context: McpContext): Promise<string> {
    const answer = await context.sample({
      key: 'capital_question',
      messages: [userSays('What is the capital of France?')],
      maxTokens: 100,
    });
    return `The model says: ${spokenText(answer)}`;
  }

  @McpTool({ name: 'test_input_required_result_list_roots', description: 'Asks for the roots' })
  async roots(@McpCtx() context: McpContext): Promise<string> {
    const roots = await context.roots({ key: 'client_roots' });
    return `Roots: ${roots.map(({ uri, name }) => name ?? uri).join(', ')}`;
  }

  @McpTool({ name: 'test_input_required_result_request_state', description: 'Asks, and remembers that it did' })
  async requestState(@McpCtx() context: McpContext): Promise<string> {
    const remembered = await context.step('remember', () => 'state-ok');
    const outcome = await context.elicit({ key: 'confirm', message: 'Please confirm', schema: OK });
    return `${remembered}: ${describeOutcome(outcome)}`;
  }

  @McpTool({ name: 'test_input_required_result_multiple_inputs', description: 'Asks three questions at once' })
  async multipleInputs(@McpCtx() context: McpContext): Promise<string> {
    const [outcome, greeting, roots] = await Promise.all([
      context.elicit<{ name: string }>({ key: 'user_name', message: 'What is your name?', schema: NAME }),
      context.sample({ key: 'greeting', messages: [userSays('Say a greeting')], maxTokens: 50 }),
      context.roots({ key: 'client_roots' }),
    ]);
    return `${spokenText(greeting)}, ${nameIn(outcome)}! You have ${roots.length} roots.`;
  }

  @McpTool({ name: 'test_input_required_result_multi_round', description: 'Asks one question after the other' })
  async multiRound(@McpCtx() context: McpContext): Promise<string> {
    const first = await context.elicit<{ name: string }>({
      key: 'step1',
      message: 'Step 1: what is your name?',
      schema: NAME,
    });
    const second = await context.elicit<{ color: string }>({
      key: 'step2',
      message: 'Step 2: what is your favourite colour?',
      schema: formOf('color', 'string'),
    });
    const color = second.action === 'accept' ? second.content.color : 'no colour';
    return `${nameIn(first)} likes ${color}.`;
  }

  @McpTool({ name: 'test_input_required_result_tampered_state', description: 'Refuses a state that was changed' })
  async tamperedState(@McpCtx() context: McpContext): Promise<string> {
    const outcome = await context.elicit({ key: 'confirm', message: 'Please confirm', schema: OK });
    return `The state was intact: ${describeOutcome(outcome)}`;
  }

  @McpTool({ name: 'test_input_required_result_capabilities', description: 'Asks only what the client can answer' })
  async capabilities(@McpCtx() context: McpContext): Promise<string> {
    const { elicitation, sampling, roots } = context.clientCapabilities;
    const asked = await Promise.all([
      ...(elicitation === undefined ? [] : [context.elicit({ message: 'Please confirm', schema: OK })]),
      ...(sampling === undefined ? [] : [context.sample({ messages: [userSays('Say hello')], maxTokens: 20 })]),
      ...(roots === undefined ? [] : [context.roots()]),
    ]);
    return `Questions asked: ${asked.length}`;
  }
}
