import { Injectable } from '@nestjs/common';
import { McpTool, mcpResult, type McpResult } from 'nestjs-mcp';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

@Injectable()
export class ResultTools {
  @McpTool({ name: 'route_map', description: 'A map of the route', mode: 'read-only', mimeType: 'image/png' })
  map(): Buffer {
    return Buffer.from(PIXEL, 'base64');
  }

  @McpTool({ name: 'ticket', description: 'The ticket of the last booking', mode: 'read-only' })
  ticket(): McpResult {
    return mcpResult({
      content: [
        'Your ticket, and where to find the conditions:',
        { type: 'resource_link', uri: 'trips://conditions', name: 'conditions', mimeType: 'text/plain' },
      ],
      structured: { number: 'T-1', valid: true },
      meta: { 'example.com/printed': false },
    });
  }
}
