import { Injectable } from '@nestjs/common';
import { McpArg, McpCompletion, McpPrompt, type PromptMessage, type PromptResult } from 'nestjs-mcp';
import type { NoteDto } from '../dto/note.dto.js';
import { NotesStore } from './notes.store.js';

function asMessage({ id, text }: NoteDto): PromptMessage {
  const resource = { uri: `notes://note/${id}`, mimeType: 'text/plain', text };
  return { role: 'user', content: { type: 'resource', resource } };
}

@Injectable()
export class NotesPrompts {
  constructor(private readonly store: NotesStore) {}

  @McpPrompt({ title: 'Summarise', description: 'Summarise the notes with a tag' })
  summarise(@McpArg('tag') tag: string, @McpArg('style') style = 'short'): PromptResult {
    const notes = this.store.all().filter(({ tags }) => tags.includes(tag));
    return {
      description: `${notes.length} notes about ${tag}`,
      messages: [
        ...notes.map(asMessage),
        { role: 'user', content: { type: 'text', text: `Summarise these notes. Style: ${style}.` } },
      ],
    };
  }

  @McpCompletion({ prompt: 'summarise', argument: 'tag' })
  completeTag(value: string): readonly string[] {
    const tags = new Set(this.store.all().flatMap((note) => note.tags));
    return [...tags].filter((tag) => tag.startsWith(value)).sort();
  }

  @McpCompletion({ prompt: 'summarise', argument: 'style' })
  completeStyle(value: string, given: { arguments: Readonly<Record<string, string>> }): readonly string[] {
    const styles = given.arguments['tag'] === 'work' ? ['short', 'formal'] : ['short', 'formal', 'cheerful'];
    return styles.filter((style) => style.startsWith(value));
  }
}
