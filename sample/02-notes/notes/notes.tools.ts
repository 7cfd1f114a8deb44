import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpCtx, McpNotifier, McpTool, McpToolError } from 'nestjs-mcp';
import { CreateNoteDto } from '../dto/create-note.dto.js';
import { FoundNotesDto, NoteDto } from '../dto/note.dto.js';
import { NotesService } from './notes.service.js';
import { NotesStore } from './notes.store.js';

@Injectable()
export class NotesTools {
  constructor(
    private readonly notes: NotesService,
    private readonly store: NotesStore,
    private readonly notifier: McpNotifier,
  ) {}

  @McpTool({
    name: 'create_note',
    description: 'Writes a note',
    mode: 'additive',
    input: CreateNoteDto,
    output: NoteDto,
  })
  create(note: CreateNoteDto): NoteDto {
    const created = this.notes.create(note);
    this.notifier.resourceUpdated('notes://all');
    return created;
  }

  @McpTool({
    name: 'search_notes',
    description: 'Finds notes by words of their title or text',
    mode: 'read-only',
    output: FoundNotesDto,
  })
  search(
    @McpArg('words', { description: 'Part of the title or text' }) words: string,
    @McpArg('limit', { schema: { type: 'integer', minimum: 1, maximum: 50 } }) limit = 10,
  ): FoundNotesDto {
    return this.notes.search(words, limit);
  }

  @McpTool({ name: 'delete_note', description: 'Deletes a note, after asking the user', mode: 'destructive' })
  async delete(
    @McpArg('id', { schema: { type: 'integer' } }) id: number,
    @McpCtx() context: McpContext,
  ): Promise<string> {
    const note = this.store.find(id);
    if (note === undefined) throw new McpToolError('There is no such note. Use search_notes to find its id.');
    const outcome = await context.elicit<{ sure: boolean }>({
      message: `Delete "${note.title}"?`,
      schema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
    });
    if (outcome.action !== 'accept' || !outcome.content.sure) return 'The note was kept.';
    this.store.remove(id);
    this.notifier.resourceUpdated('notes://all');
    return 'The note was deleted.';
  }
}
