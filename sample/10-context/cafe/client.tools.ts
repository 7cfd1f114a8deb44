import { Injectable } from '@nestjs/common';
import { McpContext, McpTool } from 'nestjs-mcp';

/** Without parameter decorators a method is called with the arguments and the context. */
@Injectable()
export class ClientTools {
  @McpTool({ name: 'slogan', description: 'Lets the model of the client write a slogan' })
  async slogan(_args: object, context: McpContext): Promise<unknown> {
    const { content, model } = await context.sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'A slogan for a café, five words' } }],
      maxTokens: 50,
    });
    return { slogan: content, model };
  }

  @McpTool({ name: 'workspaces', description: 'The folders that the client works in', mode: 'read-only' })
  async workspaces(_args: object, context: McpContext): Promise<string> {
    const roots = await context.roots();
    return roots.map(({ uri, name }) => name ?? uri).join('\n');
  }

  @McpTool({ name: 'about_call', description: 'What the server knows of this call', mode: 'read-only' })
  about(_args: object, context: McpContext): object {
    const { revision, method, clientInfo, identityKey, sessionId } = context;
    return {
      revision,
      method,
      client: clientInfo?.name,
      caller: identityKey ?? 'anonymous',
      session: sessionId !== undefined,
    };
  }
}
