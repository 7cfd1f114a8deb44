import { Injectable } from '@nestjs/common';
import { McpResource, McpResourceTemplate } from 'nestjs-mcp';
import { PNG } from './media.js';

@Injectable()
export class Resources {
  /** Sorts before every other resource: whoever tries "the first resource listed" can read it. */
  @McpResource({ uri: 'about://first', description: 'What this server is', mimeType: 'text/plain' })
  first(): string {
    return 'Fixtures for conformance suites.';
  }

  @McpResource({ uri: 'info://about', description: 'What this server is', mimeType: 'text/plain' })
  about(): string {
    return 'Fixtures for conformance suites.';
  }

  @McpResource({ uri: 'test://static-text', description: 'A text', mimeType: 'text/plain' })
  staticText(): string {
    return 'This is the content of the static text resource.';
  }

  @McpResource({ uri: 'test://static-binary', description: 'An image', mimeType: 'image/png' })
  staticBinary(): Buffer {
    return Buffer.from(PNG, 'base64');
  }

  @McpResource({ uri: 'test://watched-resource', description: 'May be subscribed to', mimeType: 'text/plain' })
  watched(): string {
    return 'The content of the watched resource.';
  }

  @McpResourceTemplate({
    uriTemplate: 'test://template/{id}/data',
    description: 'Data by id',
    mimeType: 'application/json',
  })
  data({ id }: { id: string }) {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }

  @McpResourceTemplate({ uriTemplate: 'user://{id}', description: 'A user by id', mimeType: 'text/plain' })
  user({ id }: { id: string }): string {
    return `User ${id}`;
  }
}
