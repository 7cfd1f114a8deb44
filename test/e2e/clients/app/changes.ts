import { Injectable } from '@nestjs/common';
import { McpArg, McpCatalog, McpNotifier, McpTool } from 'nestjs-mcp';

/** Changes what the server offers while it runs. */
@Injectable()
export class Changes {
  constructor(
    private readonly catalog: McpCatalog,
    private readonly notifier: McpNotifier,
  ) {}

  @McpTool()
  async grow(@McpArg('name') name: string): Promise<string> {
    await this.catalog.add([{ kind: 'tool', name, handler: () => `${name} is here` }]);
    return 'grown';
  }

  @McpTool()
  announce(): string {
    this.notifier.promptsChanged();
    this.notifier.resourcesChanged();
    return 'announced';
  }

  @McpTool()
  update(@McpArg('uri') uri: string): string {
    this.notifier.resourceUpdated(uri);
    return 'updated';
  }
}
