// Handlers that throw, hang, return what cannot be written, and leave promises behind.
import { rpcOf } from '../lib/http.mjs';
import { call, callOnce, connectionsTo, factsOf, Figures, heapOf, MODERN, serve } from './client.mjs';

const EACH = 500;
const CALL_MS = 300;
/** What must come of each: a failed call that says nothing of the reason, or an answer. */
const EXPECTED = {
  throws: 'failed',
  rejects: 'failed',
  throwsNothing: 'failed',
  hangs: 'failed',
  cycle: 'failed',
  endless: 'failed',
  promises: 'answered',
  forgetful: 'answered',
};

async function round(server, tool) {
  const connections = await connectionsTo(server, 50);
  let proper = 0;
  let left = EACH;
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) {
        const answer = await connection.request(call(server.wire, tool));
        const { result } = rpcOf(answer);
        const outcome = result?.isError === true ? 'failed' : result === undefined ? 'error' : 'answered';
        if (outcome === EXPECTED[tool] && !answer.body.includes('secret')) proper += 1;
      }
    }),
  );
  for (const connection of connections) connection.close();
  return proper;
}

export async function faults() {
  const figures = new Figures(`handlers at fault, ${EACH} calls of each, both eras`);
  for (const target of [{}, MODERN]) {
    const server = await serve({ CALL_MS: String(CALL_MS) }, target);
    for (const tool of Object.keys(EXPECTED)) await round(server, tool);
    const before = await heapOf(server);
    for (const tool of Object.keys(EXPECTED)) {
      const proper = await round(server, tool);
      figures.add(`${target.era ?? '2025-06-18'} ${tool}: ${EXPECTED[tool]} properly`, proper, { exactly: EACH });
    }
    figures.add('heap more than before', ((await heapOf(server)) - before) / 1e6, { unit: 'MB', most: 3 });
    figures.add('unhandled rejections', (await factsOf(server)).unhandled, { exactly: 0 });
    const { message } = await callOnce(server, 'echo', { text: 'a' });
    figures.add('echo afterwards', message.result.content[0].text, { exactly: 'a' });
    await server.stop();
  }
  return figures.broken;
}
