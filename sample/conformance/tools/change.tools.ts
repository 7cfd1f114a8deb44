import { Injectable } from '@nestjs/common';
import { McpNotifier, McpTool } from 'nestjs-mcp';

@Injectable()
export class ChangeTools {
  constructor(private readonly notifier: McpNotifier) {}

  @McpTool({ name: 'test_trigger_tool_change', description: 'Tells clients that the list of tools changed' })
  toolsChanged(): string {
    this.notifier.toolsChanged();
    return 'Told that the list of tools changed.';
  }

  @McpTool({ name: 'test_trigger_prompt_change', description: 'Tells clients that the list of prompts changed' })
  promptsChanged(): string {
    this.notifier.promptsChanged();
    return 'Told that the list of prompts changed.';
  }
}
