import { Injectable } from '@nestjs/common';
import type { CreateNoteDto } from '../dto/create-note.dto.js';
import type { FoundNotesDto, NoteDto } from '../dto/note.dto.js';
import { Author } from './author.js';
import { NotesStore } from './notes.store.js';

/** What the application can do with notes. It knows neither HTTP nor MCP; `Author` makes it request-scoped. */
@Injectable()
export class NotesService {
  constructor(
    private readonly store: NotesStore,
    private readonly author: Author,
  ) {}

  create({ title, text, tags = [], reminder }: CreateNoteDto): NoteDto {
    return this.store.add({ title, text, tags, author: this.author.name, ...(reminder && { reminder }) });
  }

  search(words: string, limit: number): FoundNotesDto {
    const wanted = words.toLowerCase();
    const found = this.store.all().filter(({ title, text }) => `${title} ${text}`.toLowerCase().includes(wanted));
    return { total: found.length, notes: found.slice(0, limit) };
  }
}
