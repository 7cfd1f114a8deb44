import { Injectable } from '@nestjs/common';
import { McpCompletion, McpNotFound, McpResource, McpResourceTemplate } from 'nestjs-mcp';
import { NotesStore } from './notes.store.js';

@Injectable()
export class NotesResources {
  constructor(private readonly store: NotesStore) {}

  @McpResource({ uri: 'notes://all', description: 'Ids and titles of all notes', mimeType: 'text/plain' })
  all(): string {
    return this.store
      .all()
      .map(({ id, title }) => `${id}: ${title}`)
      .join('\n');
  }

  @McpResourceTemplate({
    uriTemplate: 'notes://note/{id}',
    name: 'note',
    description: 'One note',
    mimeType: 'application/json',
  })
  note({ id }: { id: string }) {
    const note = this.store.find(Number(id));
    if (note === undefined) throw new McpNotFound('no note has this id');
    return note;
  }

  @McpResourceTemplate({
    uriTemplate: 'notes://tagged{/tags*}{?author}',
    name: 'tagged',
    description: 'Notes that have all of the tags, of one author or of all',
    mimeType: 'application/json',
  })
  tagged({ tags = [], author }: { tags?: readonly string[]; author?: string }) {
    const tagged = this.store.all().filter((note) => tags.every((tag) => note.tags.includes(tag)));
    // An object is served as JSON; a bare array would be taken for the contents of several resources.
    return { notes: author === undefined ? tagged : tagged.filter((note) => note.author === author) };
  }

  @McpCompletion({ uriTemplate: 'notes://note/{id}', argument: 'id' })
  completeId(value: string): readonly string[] {
    return this.store
      .all()
      .map(({ id }) => String(id))
      .filter((id) => id.startsWith(value));
  }
}
