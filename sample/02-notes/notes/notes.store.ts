import { Injectable } from '@nestjs/common';
import type { NoteDto } from '../dto/note.dto.js';

/** Where the notes are; one for the whole application. */
@Injectable()
export class NotesStore {
  private readonly notes = new Map<number, NoteDto>();
  private last = 0;

  add(note: Omit<NoteDto, 'id'>): NoteDto {
    const added = { ...note, id: ++this.last };
    this.notes.set(added.id, added);
    return added;
  }

  find(id: number): NoteDto | undefined {
    return this.notes.get(id);
  }

  all(): readonly NoteDto[] {
    return [...this.notes.values()];
  }

  remove(id: number): boolean {
    return this.notes.delete(id);
  }
}
