import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listen, MODES, overHttp, textOf, until, type Listening, type Mode } from './sample-process.js';

describe('sample 05-gated', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen('05-gated/main.js');
  });
  afterAll(() => server.stop());
  const connect = (client: Client) => overHttp(client, `${server.origin}/mcp`);
  const asking = async (mode: Mode, action: 'accept' | 'decline') => {
    const questions: unknown[] = [];
    const client = clientOf(mode, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action, ...(action === 'accept' && { content: {} }) };
    });
    return { client: await connect(client), questions };
  };
  const tables = async (client: Client): Promise<readonly string[]> => {
    const { structuredContent } = await client.callTool({ name: 'list_tables' });
    return (structuredContent as { tables: { name: string }[] }).tables.map(({ name }) => name);
  };

  it.each(MODES)('answers with structure, the same as text, and _meta (%s client)', async (mode) => {
    const client = await connect(clientOf(mode));
    const result = await client.callTool({ name: 'list_tables' });
    expect(JSON.parse(textOf(result) ?? '')).toEqual(result.structuredContent);
    expect(result._meta?.['example.com/asOf']).toMatch(/^\d{4}-/);
    await client.close();
  });

  it.each([
    ['modern', 'customers'],
    ['legacy', 'orders'],
  ] as const)('asks the user of a %s client, and does what the answer says', async (mode, name) => {
    const refusing = await asking(mode, 'decline');
    const kept = await refusing.client.callTool({ name: 'drop_table', arguments: { name } });
    // Whoever declines gets the fallback, and nothing was done.
    expect(textOf(kept)).toContain('Nothing was done.');
    expect(await tables(refusing.client)).toContain(name);
    const agreeing = await asking(mode, 'accept');
    const dropped = await agreeing.client.callTool({ name: 'drop_table', arguments: { name } });
    expect(textOf(dropped)).toBe(`${name} is gone.`);
    expect(dropped._meta?.['example.com/rows']).toBeGreaterThan(0);
    expect(agreeing.questions).toEqual([`Really run drop_table with {"name":"${name}"}?`]);
    expect(await tables(agreeing.client)).not.toContain(name);
    await until(server, () => /drop_table: decline, done/.test(server.stdout()));
    await until(server, () => /drop_table: accept, done/.test(server.stdout()));
    await Promise.all([refusing.client.close(), agreeing.client.close()]);
  });

  it('falls back to a nonce where nobody can be asked: good once, for the same call', async () => {
    const client = await connect(clientOf('modern'));
    const drop = (args: object) => client.callTool({ name: 'drop_table', arguments: { ...args } });
    const told = await drop({ name: 'drafts' });
    expect(told.isError ?? false).toBe(false);
    const { confirmation } = told.structuredContent as { confirmation: { nonce: string; question: string } };
    expect(textOf(told)).toContain(confirmation.nonce);
    expect(await tables(client)).toContain('drafts');
    const { nonce } = confirmation;
    for (const wrong of [
      { name: 'other', nonce },
      { name: 'drafts', nonce: 'guess' },
    ]) {
      const denied = await drop(wrong);
      expect(denied.isError).toBe(true);
      expect(textOf(denied)).toBe('This nonce is not good for this call.');
    }
    expect(textOf(await drop({ name: 'drafts', nonce }))).toBe('drafts is gone.');
    expect(textOf(await drop({ name: 'drafts', nonce }))).toBe('This nonce is not good for this call.');
    await until(server, () => /drop_table: confirm, done/.test(server.stdout()));
    await until(server, () => /drop_table: deny, failed/.test(server.stdout()));
    await until(server, () => /drop_table: allow, done/.test(server.stdout()));
    await client.close();
  });
});
