import { Body, Controller, Get, Post, Query, ValidationPipe } from '@nestjs/common';
import { CreateNoteDto } from '../dto/create-note.dto.js';
import type { FoundNotesDto, NoteDto } from '../dto/note.dto.js';
import { NotesService } from './notes.service.js';

/** The same service over plain HTTP. */
@Controller('notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Post()
  create(@Body(new ValidationPipe({ whitelist: true, transform: true })) note: CreateNoteDto): NoteDto {
    return this.notes.create(note);
  }

  @Get()
  search(@Query('q') words = ''): FoundNotesDto {
    return this.notes.search(words, 20);
  }
}
