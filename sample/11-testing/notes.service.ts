import { Injectable } from '@nestjs/common';
import { McpArg, McpTool, type McpContext } from 'nestjs-mcp';

@Injectable()
export class NotesService {
  readonly notes: string[] = [];

  @McpTool({ description: 'Keeps a note', mode: 'additive' })
  keep(@McpArg('text') text: string): string {
    this.notes.push(text);
    return `kept ${this.notes.length}`;
  }

  @McpTool({ description: 'Forgets all notes, once the user agrees', mode: 'destructive' })
  async forget(_args: object, context: McpContext): Promise<string> {
    const schema = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] };
    const answer = await context.elicit<{ sure: boolean }>({ message: 'Forget all notes?', schema });
    if (answer.action !== 'accept' || !answer.content.sure) return 'nothing forgotten';
    this.notes.length = 0;
    return 'forgotten';
  }
}
