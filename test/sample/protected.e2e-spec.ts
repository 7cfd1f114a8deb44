import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listen, MODES, overHttp, textOf, type Listening, type Mode } from './sample-process.js';

describe('sample 03-protected', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen('03-protected/main.js');
  });
  afterAll(() => server.stop());
  const as = (token: string, mode: Mode = 'modern') =>
    overHttp(clientOf(mode), `${server.origin}/mcp`, { authorization: `Bearer ${token}` });
  const post = (headers: Record<string, string>, body: object): Promise<Response> =>
    fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
    });
  const discover = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };

  it('challenges a caller without a token and says where to get one', async () => {
    const response = await post({}, discover);
    expect(response.status).toBe(401);
    const metadata = `${server.origin}/.well-known/oauth-protected-resource/mcp`;
    expect(response.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
    const document: unknown = await (await fetch(metadata)).json();
    expect(document).toMatchObject({ resource: `${server.origin}/mcp`, authorization_servers: [expect.any(String)] });
    expect(await (await fetch(`${server.origin}/.well-known/oauth-protected-resource`)).json()).toEqual(document);
  });

  it('calls an unknown token invalid', async () => {
    const response = await post({ authorization: 'Bearer stolen' }, discover);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await response.text()).not.toContain('stolen');
  });

  it.each(MODES)('tells tools who calls (%s client)', async (mode) => {
    const client = await as('reader-token', mode);
    expect(textOf(await client.callTool({ name: 'whoami' }))).toBe('rita');
    expect(textOf(await client.callTool({ name: 'list_reports' }))).toBe('Figures of the year');
    await client.close();
  });

  it('lists tools that a caller may not call: guards decide calls, not lists', async () => {
    const client = await as('reader-token');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['delete_reports', 'list_reports', 'publish_report', 'whoami']);
    await client.close();
  });

  it('fails the call of a caller without the role, and runs that of one who has it', async () => {
    const writer = await as('writer-token');
    const refused = await writer.callTool({ name: 'delete_reports' });
    expect(refused.isError).toBe(true);
    expect(textOf(await writer.callTool({ name: 'list_reports' }))).not.toBe('');
    const admin = await as('admin-token');
    expect(textOf(await admin.callTool({ name: 'delete_reports' }))).toBe('All reports are gone.');
    await Promise.all([writer.close(), admin.close()]);
  });

  it('answers 403 with the missing scope, and publishes for a token that has it', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'publish_report', arguments: { title: 'News' }, _meta: meta },
    };
    const call = (token: string): Promise<Response> =>
      post(
        {
          authorization: `Bearer ${token}`,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'publish_report',
        },
        body,
      );
    const refused = await call('reader-token');
    expect(refused.status).toBe(403);
    const challenge = refused.headers.get('www-authenticate');
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="reports:write"');
    expect(challenge).toContain('resource_metadata=');
    const published = await call('writer-token');
    expect(published.status).toBe(200);
    expect(await published.json()).toMatchObject({
      result: { content: [{ text: expect.stringMatching(/^Published/) }] },
    });
  });

  it('lets pages of allowed origins call and refuses all others before it looks at the token', async () => {
    const token = { authorization: 'Bearer reader-token' };
    const foreign = await post({ ...token, origin: 'https://evil.example' }, discover);
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await fetch(`${server.origin}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    const allowed = await post({ origin: 'https://app.example.com' }, discover);
    expect(allowed.status).toBe(401);
  });
});
