import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/client';
import {
  clientOf,
  freePort,
  listen,
  MODES,
  overHttp,
  startSample,
  textOf,
  until,
  type Listening,
  type Mode,
} from './sample-process.js';

describe('sample 08-existing-app', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen('08-existing-app/main.js');
  });
  afterAll(() => server.stop());
  const anybody = (mode: Mode) => overHttp(clientOf(mode), `${server.origin}/api/mcp`);
  const authorized = { authorization: 'Bearer staff-key' };
  const staff = (client: Client) => overHttp(client, `${server.origin}/api/staff/mcp`, authorized);
  const answering = (mode: Mode, action: 'accept' | 'decline'): Client => {
    const client = clientOf(mode, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', () => ({ action, ...(action === 'accept' && { content: {} }) }));
    return client;
  };
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

  it('leaves the routes of the application as they were', async () => {
    const route = `${server.origin}/api/v1/orders`;
    expect(await (await fetch(`${route}/1`)).json()).toMatchObject({ id: 1, article: 'Kettle' });
    expect((await fetch(`${route}/99`)).status).toBe(404);
    expect((await fetch(`${route}/x`)).status).toBe(400);
  });

  it.each(MODES)('serves a route as a tool to a %s client', async (mode) => {
    const client = await anybody(mode);
    expect(await namesOf(client)).toEqual(['get_order', 'opening_hours', 'search_orders', 'winter_sale']);
    const order = await client.callTool({ name: 'get_order', arguments: { id: 2 } });
    expect(order.structuredContent).toMatchObject({ id: 2, article: 'Lamp' });
    const missing = await client.callTool({ name: 'get_order', arguments: { id: 99 } });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toBe('There is no order 99.');
    const hours = await client.callTool({ name: 'opening_hours', arguments: { day: 'Sunday' } });
    expect(textOf(hours)).toBe('closed');
    expect(textOf(await client.callTool({ name: 'winter_sale' }))).toBe('20 % off all lamps');
    await client.close();
  });

  it('throttles a tool of its own, and leaves the others alone', async () => {
    const client = await anybody('modern');
    const search = () => client.callTool({ name: 'search_orders', arguments: { word: 'lamp' } });
    for (let round = 0; round < 3; round += 1) {
      expect((await search()).structuredContent).toMatchObject([{ article: 'Lamp' }]);
    }
    const refused = await search();
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe('ThrottlerException: Too Many Requests');
    expect(textOf(await client.callTool({ name: 'winter_sale' }))).toBe('20 % off all lamps');
    await client.close();
  });

  it('throttles the endpoint, before a body is read', async () => {
    const port = await freePort();
    const throttled = startSample('08-existing-app/main.js', [], { PORT: String(port), REQUESTS_PER_MINUTE: '3' });
    const statuses: number[] = [];
    try {
      const post = (path: string) =>
        fetch(`http://127.0.0.1:${port}/api/${path}`, { method: 'POST', body: '{not json' });
      await until(throttled, () => /Nest application successfully started/.test(throttled.stdout()));
      for (let round = 0; round < 3; round += 1) statuses.push((await post('mcp')).status);
      const refused = await post('mcp');
      expect([...statuses, refused.status]).toEqual([415, 415, 415, 429]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/orders/1`)).status).toBe(200);
    } finally {
      await throttled.stop();
    }
  });

  it('audits routes and tools with one interceptor', async () => {
    const client = await anybody('modern');
    await client.callTool({ name: 'get_order', arguments: { id: 1 } });
    await fetch(`${server.origin}/api/v1/orders/1`);
    await until(server, () => /tool get_order/.test(server.stdout()) && /route find/.test(server.stdout()));
    await client.close();
  });

  it('lets only the staff into the other server', async () => {
    const response = await fetch(`${server.origin}/api/staff/mcp`, { method: 'POST' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="staff"');
    const client = await staff(clientOf('modern'));
    expect(await namesOf(client)).toEqual(['cancel_order', 'get_order', 'search_orders', 'staff_rota']);
    await client.close();
  });

  it('hides what a client may not see, from lists and calls alike', async () => {
    const kiosk = new Client({ name: 'kiosk', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await staff(kiosk);
    expect(await namesOf(kiosk)).toEqual(['cancel_order', 'get_order', 'search_orders']);
    await expect(kiosk.callTool({ name: 'staff_rota' })).rejects.toMatchObject({ code: -32602 });
    await kiosk.close();
  });

  it.each(MODES)('asks the user of a %s client before something is destroyed', async (mode) => {
    const refusing = await staff(answering(mode, 'decline'));
    expect((await refusing.callTool({ name: 'cancel_order', arguments: { id: '1' } })).isError).toBe(true);
    const kept = await refusing.callTool({ name: 'get_order', arguments: { id: 1 } });
    expect(kept.structuredContent).toMatchObject({ state: 'open' });
    const agreeing = await staff(answering(mode, 'accept'));
    const cancelled = await agreeing.callTool({ name: 'cancel_order', arguments: { id: '2' } });
    expect(textOf(cancelled)).toBe('The order of the Lamp was cancelled.');
    await Promise.all([refusing.close(), agreeing.close()]);
  });
});
