import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { CatalogFault, McpModule, McpTool, toWireTool, type McpCatalogEntry, type McpToolEntry } from 'nestjs-mcp';
import { describeRevisions, McpTesting } from 'nestjs-mcp/testing';
import { describe, expect, it } from 'vitest';

const DROP: McpToolEntry = {
  kind: 'tool',
  name: 'drop',
  title: 'Drop',
  description: 'Drops a table',
  input: { type: 'object', properties: { table: { type: 'string' }, any: true } },
  output: { type: 'object', properties: { dropped: { type: 'boolean' } } },
  mode: 'destructive',
  commandClass: 'never-on-the-wire',
  _meta: { 'example.com/x': 1 },
  handler: () => ({ dropped: true }),
};

@Injectable()
class Tables {
  @McpTool({ description: 'Counts', mode: 'read-only' })
  count(): number {
    return 1;
  }
}

describeRevisions(describe, 'a tool on the wire', (revision) => {
  it('is what tools/list shows', async () => {
    const seen: McpCatalogEntry[] = [];
    const app = await Test.createTestingModule({
      imports: [
        McpModule.forRoot({
          server: { name: 's', version: '1' },
          allowedOrigins: [],
          guards: 'none',
          visibility: (entry) => seen.push(entry) > 0,
        }),
        McpModule.forFeature([DROP]),
      ],
      providers: [Tables],
    }).compile();
    const client = await McpTesting.connect(app, { revision });
    const listed = await client.listTools();
    expect(seen.map((entry) => toWireTool(entry, revision))).toEqual(listed);
    expect(toWireTool(DROP, revision)).toEqual(listed.find(({ name }) => name === 'drop'));
    await app.close();
  });
});

describe('a tool on the wire', () => {
  it('is that of the newest revision, and holds nothing but what is said', () => {
    expect(toWireTool({ kind: 'tool', name: 'plain' })).toEqual({
      name: 'plain',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    });
    expect(toWireTool(DROP)).toEqual(toWireTool(DROP, '2026-07-28'));
    expect(JSON.stringify(toWireTool(DROP))).not.toContain('never-on-the-wire');
  });

  it('must be one that could be offered, in a revision that exists', () => {
    expect(() => toWireTool({ kind: 'tool', name: 'bad name' })).toThrow(CatalogFault);
    expect(() => toWireTool({ kind: 'tool', name: 'x', mode: 'odd' as never })).toThrow('mode "odd" does not exist');
    expect(() => toWireTool({ kind: 'tool', name: 'x', input: { type: 'object', minimun: 1 } })).toThrow(CatalogFault);
    expect(() => toWireTool(DROP, '1999-01-01' as never)).toThrow('no protocol revision "1999-01-01"');
  });

  it('is a tool', async () => {
    const seen: McpCatalogEntry[] = [];
    const app = await Test.createTestingModule({
      imports: [
        McpModule.forRoot({
          server: { name: 's', version: '1' },
          allowedOrigins: [],
          guards: 'none',
          visibility: (entry) => seen.push(entry) > 0,
        }),
        McpModule.forFeature([{ kind: 'resource', name: 'r', uri: 'x://r', handler: () => 'r' }]),
      ],
    }).compile();
    await (await McpTesting.connect(app)).listResources();
    const [resource] = seen;
    expect(() => toWireTool(resource!)).toThrow('is not a tool');
    await app.close();
  });
});
