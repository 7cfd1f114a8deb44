import { Injectable } from '@nestjs/common';
import { McpTool, McpToolError, type ContentBlock } from 'nestjs-mcp';
import { PNG, WAV } from '../media.js';

@Injectable()
export class ContentTools {
  @McpTool({ name: 'test_simple_text', description: 'Answers with one text' })
  simpleText(): string {
    return 'This is a simple text response for testing.';
  }

  @McpTool({ name: 'test_image_content', description: 'Answers with one image' })
  image(): ContentBlock {
    return { type: 'image', data: PNG, mimeType: 'image/png' };
  }

  @McpTool({ name: 'test_audio_content', description: 'Answers with one sound' })
  audio(): ContentBlock {
    return { type: 'audio', data: WAV, mimeType: 'audio/wav' };
  }

  @McpTool({ name: 'test_embedded_resource', description: 'Answers with one embedded resource' })
  embeddedResource(): ContentBlock {
    return {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    };
  }

  @McpTool({ name: 'test_multiple_content_types', description: 'Answers with a text, an image and a resource' })
  multipleContentTypes(): readonly ContentBlock[] {
    return [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ];
  }

  @McpTool({ name: 'test_error_handling', description: 'Always fails, with a message for the model' })
  errorHandling(): never {
    throw new McpToolError('This tool intentionally returns an error for testing');
  }
}
