import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, listen, MODES, overHttp, textOf, until, type Listening } from './sample-process.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('the observed sample', () => {
  let sample: Listening;

  beforeAll(async () => {
    sample = await listen('07-observed/main.js');
  });

  afterAll(async () => {
    await sample.stop();
  });

  async function connected<T>(mode: (typeof MODES)[number], use: (client: Client) => Promise<T>): Promise<T> {
    const client = await overHttp(clientOf(mode), `${sample.origin}/mcp`);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }

  it.each(MODES)('prints spans in the trace of a %s client, and a line of the audit', async (mode) => {
    await connected(mode, async (client) => {
      const _meta = { traceparent: `00-${TRACE}-${SPAN}-01` };
      const { structuredContent } = await client.callTool({ name: 'findOrder', arguments: { number: 1 }, _meta });
      expect(structuredContent).toEqual({ number: 1, state: 'shipped' });
    });
    const line = new RegExp(`span tools/call findOrder: ok, trace ${TRACE}, span (\\w{16}), parent ${SPAN}`);
    await until(sample, () => line.test(sample.stdout()));
    const [, id] = line.exec(sample.stdout()) ?? [];
    expect(sample.stdout()).toMatch(new RegExp(`span select order: ok, trace ${TRACE}, span \\w{16}, parent ${id}`));
    await until(sample, () => /anonymous tools\/call findOrder: ok, [\d.]+ ms, \d+ bytes/.test(sample.stdout()));
  });

  it('shows how calls fail', async () => {
    await connected('modern', async (client) => {
      const unknown = await client.callTool({ name: 'findOrder', arguments: { number: 9 } });
      expect(textOf(unknown)).toBe('There is no such order');
      const slow = (): Promise<string | undefined> =>
        client.callTool({ name: 'countOrders', arguments: { seconds: 2 } }).then(textOf);
      const answers = await Promise.all([slow(), slow(), slow()]);
      expect(answers.filter((answer) => answer === 'countOrders: No result within 500 ms')).toHaveLength(2);
      expect(answers).toContain('countOrders is busy: at most 2 calls of it run at once. Try again in 1 s');
    });
    expect(sample.stdout()).toContain('span tools/call findOrder: failed (tool_error)');
    expect(sample.stdout()).toMatch(/anonymous tools\/call countOrders: timeout/);
    expect(sample.stdout()).toMatch(/anonymous tools\/call countOrders: busy/);
  });
});
