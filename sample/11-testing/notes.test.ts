import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Test } from '@nestjs/testing';
import { McpModule } from 'nestjs-mcp';
import { describeRevisions, McpTesting } from 'nestjs-mcp/testing';
import { NotesService } from './notes.service.js';

const mcp = McpModule.forRoot({ server: { name: 'notes', version: '1.0.0' }, allowedOrigins: [], guards: 'none' });
const compile = () => Test.createTestingModule({ imports: [mcp], providers: [NotesService] }).compile();

describeRevisions(describe, 'notes', (revision) => {
  it('are kept', async () => {
    const client = await McpTesting.connect(await compile(), { revision });
    const { content } = await client.callTool('keep', { text: 'buy milk' });
    assert.deepEqual(content, [{ type: 'text', text: 'kept 1' }]);
    client.close();
  });

  // A form is no part of 2025-03-26.
  it('are forgotten when the user agrees', { skip: revision === '2025-03-26' }, async () => {
    const elicit = () => ({ action: 'accept' as const, content: { sure: true } });
    const client = await McpTesting.connect(await compile(), { revision, answers: { elicit } });
    const { content } = await client.callTool('forget');
    assert.deepEqual(content, [{ type: 'text', text: 'forgotten' }]);
    client.close();
  });
});
