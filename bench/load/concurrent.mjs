// 2,000 calls at once, each on a connection of its own, all of them in their handlers at the same time.
import { rpcOf } from '../lib/http.mjs';
import { call, connectionsTo, factsOf, Figures, percentile, serve } from './client.mjs';

const CALLS = 2000;

export async function concurrent() {
  const figures = new Figures(`${CALLS} concurrent calls`);
  const server = await serve();
  const connections = await connectionsTo(server, CALLS);
  const from = performance.now();
  const times = [];
  const answers = await Promise.all(
    connections.map(async (connection, i) => {
      const answer = await connection.request(call(server.wire, 'wait', { ms: 1000 }, { id: 1_000_000 + i }));
      times.push(performance.now() - from);
      const { id, result } = rpcOf(answer);
      return id === 1_000_000 + i && result?.content?.[0]?.text === 'waited';
    }),
  );
  figures.add('answered rightly', answers.filter(Boolean).length, { exactly: CALLS });
  figures.add('handlers that ended', (await factsOf(server)).ended, { exactly: CALLS });
  figures.add('p99, of which 1000 ms are the handler', percentile(times, 0.99), { unit: 'ms', most: 10_000 });
  for (const connection of connections) connection.close();
  await server.stop();
  return figures.broken;
}
