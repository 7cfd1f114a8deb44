import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpCtx, McpTool } from 'nestjs-mcp';
import { describeOutcome, spokenText, userSays } from './answers.js';

/** Tools that ask the client's model or user something. */
@Injectable()
export class ConversationTools {
  @McpTool({ name: 'test_sampling', description: "Asks the client's model" })
  async sampling(@McpArg('prompt') prompt: string, @McpCtx() context: McpContext): Promise<string> {
    const answer = await context.sample({ messages: [userSays(prompt)], maxTokens: 100 });
    return `LLM response: ${spokenText(answer)}`;
  }

  @McpTool({ name: 'test_missing_capability', description: "Asks the client's model, which this client may not have" })
  async missingCapability(@McpCtx() context: McpContext): Promise<string> {
    const answer = await context.sample({ messages: [userSays('Are you there?')], maxTokens: 10 });
    return spokenText(answer);
  }

  @McpTool({ name: 'test_streaming_elicitation', description: 'Reports progress, then asks the user' })
  async streamingElicitation(@McpCtx() context: McpContext): Promise<string> {
    context.progress(1, 2, 'About to ask');
    const outcome = await context.elicit({
      message: 'Go on?',
      schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    });
    return describeOutcome(outcome);
  }
}
