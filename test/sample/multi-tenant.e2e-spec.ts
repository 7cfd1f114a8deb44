import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listen, MODES, overHttp, textOf, type Listening, type Mode } from './sample-process.js';

describe('sample 04-multi-tenant', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen('04-multi-tenant/main.js');
  });
  afterAll(() => server.stop());
  const as = (caller: string, mode: Mode = 'modern') =>
    overHttp(clientOf(mode), `${server.origin}/mcp`, { authorization: `Bearer ${caller}-token` });

  it.each([
    [{}, 'Bearer realm="documents"'],
    [{ authorization: 'Bearer stolen' }, 'Bearer realm="documents", error="invalid_token"'],
  ])('challenges a caller with the headers %j', async (headers, challenge) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const response = await fetch(`${server.origin}/mcp`, { method, headers: new Headers(headers) });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(challenge);
    }
  });

  it.each(MODES)('shows each caller its own tools (%s client)', async (mode) => {
    const lists = ['alice', 'bob', 'admin'].map(async (caller) => {
      const client = await as(caller, mode);
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name);
    });
    expect(await Promise.all(lists)).toEqual([
      ['report_rent', 'report_visitors', 'search'],
      ['report_harvest', 'report_rent', 'search'],
      ['wipe'],
    ]);
  });

  it.each(MODES)('runs the tools of one company for its own callers (%s client)', async (mode) => {
    const [alice, bob] = await Promise.all([as('alice', mode), as('bob', mode)]);
    const rent = { name: 'report_rent', arguments: { year: 2025 } };
    const both = await Promise.all([alice.callTool(rent), bob.callTool(rent)]);
    expect(both.map(textOf)).toEqual(['rent of north in 2025', 'rent of south in 2025']);
    const bad = await alice.callTool({ name: 'report_rent', arguments: { year: 'MMXXV' } });
    expect(bad.isError).toBe(true);
    await expect(bob.callTool({ name: 'report_visitors', arguments: { year: 2025 } })).rejects.toMatchObject({
      code: -32602,
    });
    await Promise.all([alice.close(), bob.close()]);
  });

  it('never runs what a caller does not see', async () => {
    const alice = await as('alice');
    const hidden = alice.callTool({ name: 'wipe' });
    const unknown = alice.callTool({ name: 'what' });
    await expect(hidden).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('Unknown tool') });
    await expect(unknown).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('Unknown tool') });
    expect(server.stdout()).not.toContain('wiped');
    const search = { name: 'search', arguments: { word: 'lease' } };
    expect((await alice.callTool(search)).structuredContent).toEqual(['Lease of the north office']);
    const admin = await as('admin');
    expect(textOf(await admin.callTool({ name: 'wipe' }))).toBe('All documents are gone.');
    expect((await alice.callTool(search)).structuredContent).toEqual([]);
    const bob = await as('bob');
    expect((await bob.callTool(search)).structuredContent).toEqual(['Lease of the south office']);
    await Promise.all([alice.close(), admin.close(), bob.close()]);
  });
});
