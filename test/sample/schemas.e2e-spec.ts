import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { clientOf, listen, MODES, overHttp, overStdio, textOf, type Listening, type Mode } from './sample-process.js';

/** Each library's schema is listed, and refuses what it says it refuses. */
async function compareSchemas(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const inputs = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  expect([...inputs.keys()]).toEqual([
    'departures',
    'fare',
    'find_station',
    'plan_trip',
    'reserve_seats',
    'route_map',
    'ticket',
  ]);
  expect(inputs.get('reserve_seats')).toMatchObject({ properties: { seats: { uniqueItems: true } } });
  expect(inputs.get('plan_trip')).toMatchObject({ required: ['from', 'to'] });
  expect(inputs.get('find_station')).toMatchObject({ properties: { prefix: { minLength: 2 } }, required: ['prefix'] });
  expect(inputs.get('fare')).toMatchObject({ properties: { kilometres: { exclusiveMinimum: 0 } } });
  expect(inputs.get('departures')).toMatchObject({
    properties: { station: { type: 'string' } },
    required: ['station'],
  });

  const calls: readonly [name: string, args: Record<string, unknown>, text: string | RegExp][] = [
    ['plan_trip', { from: 'Kiel', to: 'Ulm' }, '{"legs":["Kiel – Hannover","Hannover – Ulm"],"passengers":1}'],
    ['plan_trip', { from: 'Kiel', to: 'Ulm', passengers: 10 }, /passengers/],
    ['find_station', { prefix: 'Br', limit: 2 }, 'Bremen, Brest'],
    ['find_station', { prefix: 'B' }, /prefix/],
    ['fare', { kilometres: 100, class: 'first' }, '30.00 €'],
    ['fare', { kilometres: 100, class: 'third' }, /class/],
    ['reserve_seats', { train: 'ICE 577', seats: [21, 22] }, 'Reserved 21, 22 in ICE 577.'],
    ['reserve_seats', { train: 'ICE 577', seats: [21, 21] }, /seats/],
    ['departures', { station: 'Ulm' }, '3 trains leave Ulm within the hour.'],
  ];
  for (const [name, args, text] of calls) {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError === true).toBe(typeof text !== 'string');
    if (typeof text === 'string') expect(textOf(result)).toBe(text);
    else expect(textOf(result)).toMatch(text);
  }
}

describe('sample 09-schemas', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen('09-schemas/main.js');
  });
  afterAll(() => server.stop());
  const connected = (mode: Mode) => overHttp(clientOf(mode), `${server.origin}/mcp`);

  it.each(MODES)('lists and enforces the schemas of every library (%s client, HTTP)', async (mode) => {
    const client = await connected(mode);
    await compareSchemas(client);
    await client.close();
  });

  it.each(MODES)('lists and enforces the schemas of every library (%s client, stdio)', async (mode) => {
    const client = await overStdio(clientOf(mode), '09-schemas/stdio.js');
    await compareSchemas(client);
    await client.close();
  });

  it.each(MODES)('returns bytes and mixed results (%s client)', async (mode) => {
    const client = await connected(mode);
    const { content } = await client.callTool({ name: 'route_map' });
    expect(content).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
    const ticket = await client.callTool({ name: 'ticket' });
    expect(ticket.content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect(ticket).toMatchObject({
      structuredContent: { number: 'T-1', valid: true },
      _meta: { 'example.com/printed': false },
    });
    await client.close();
  });
});
