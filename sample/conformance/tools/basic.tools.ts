import { Injectable } from '@nestjs/common';
import { McpArg, McpTool } from 'nestjs-mcp';

@Injectable()
export class BasicTools {
  /** Sorts before every other tool: whoever tries "the first tool listed" may call it without arguments. */
  @McpTool({ description: 'Says what this server is', mode: 'read-only' })
  about(): string {
    return 'Fixtures for conformance suites.';
  }

  @McpTool({ description: 'Returns the text unchanged', mode: 'read-only' })
  echo(@McpArg('text') text: string): string {
    return text;
  }

  @McpTool({ description: 'Adds two numbers', mode: 'read-only' })
  add(@McpArg('a') a: number, @McpArg('b') b: number): string {
    return String(a + b);
  }

  @McpTool({ description: 'Greets by name', mode: 'read-only' })
  greet(@McpArg('name') name: string): string {
    return `Hello, ${name}!`;
  }
}
