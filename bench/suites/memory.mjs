// Memory after 10,000 calls.
import { load, openAll } from '../lib/load.mjs';
import { ready, start } from '../lib/proc.mjs';
import { megabytes, save, table } from '../lib/report.mjs';
import { taking } from './http.mjs';

async function measure(contestant, tools) {
  const server = start(contestant, { tools });
  try {
    await ready(server);
    const before = (await server.stats({ gc: true })).mem;
    const pool = await openAll(server.target, 32);
    const { n } = await load(server.target, pool, { workload: 'echo', requests: 10_000, maxMs: 60_000, tools });
    const { rss } = (await server.stats()).mem;
    const after = (await server.stats({ gc: true })).mem;
    for (const connection of pool.conns) connection.close();
    const { name } = contestant;
    return { tools, name, n, rss0: before.rss, heap0: before.heapUsed, rss, heap: after.heapUsed };
  } finally {
    await server.stop();
  }
}

export async function memory() {
  const rows = [];
  for (const tools of [2, 200]) {
    for (const contestant of taking()) {
      await measure(contestant, tools).then(
        (row) => rows.push(row),
        (error) => console.error(`${contestant.name}: ${error.message}`),
      );
    }
  }
  table(
    'memory after 10,000 echo calls over 32 connections; heap after GC',
    ['contestant', 'tools', 'RSS at start MB', 'RSS MB', 'heap at start MB', 'heap MB', 'calls'],
    rows.map((row) => [
      row.name,
      row.tools,
      megabytes(row.rss0),
      megabytes(row.rss),
      megabytes(row.heap0, 1),
      megabytes(row.heap, 1),
      row.n,
    ]),
  );
  save('memory', rows);
}
