import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { Author } from './notes/author.js';
import { NotesController } from './notes/notes.controller.js';
import { NotesPrompts } from './notes/notes.prompts.js';
import { NotesResources } from './notes/notes.resources.js';
import { NotesService } from './notes/notes.service.js';
import { NotesStore } from './notes/notes.store.js';
import { NotesTools } from './notes/notes.tools.js';

@Module({
  imports: [
    McpModule.forRoot({
      server: {
        name: 'notes',
        version: '1.0.0',
        title: 'Notes',
        instructions: 'Search before you write: a note on the subject may exist.',
      },
      allowedOrigins: [],
      guards: 'none',
    }),
  ],
  controllers: [NotesController],
  providers: [NotesStore, Author, NotesService, NotesTools, NotesResources, NotesPrompts],
})
export class AppModule {}
