// Heap after 4,000, 16,000 and 200,000 calls, half of 2026-07-28 and half in sessions.
import { load, openAll } from '../lib/load.mjs';
import { number } from '../lib/options.mjs';
import { Figures, heapOf, MODERN, serve } from './client.mjs';

const CALLS = number('calls', 200_000);
/** What compiled code and caches may still take after so many calls. */
const SLACK = 1_000_000;

export async function soak() {
  const figures = new Figures(`a soak of ${CALLS} calls`);
  const server = await serve({ SESSIONS: 'memory' }, { session: true });
  const targets = [server.target, { ...server.target, ...MODERN, session: false }];
  const pools = await Promise.all(targets.map((target) => openAll(target, 16)));
  const heaps = [];
  let done = 0;
  for (const until of [4000, 16_000, CALLS]) {
    const part = Math.ceil((until - done) / targets.length);
    for (const [i, target] of targets.entries()) {
      const { n } = await load(target, pools[i], { workload: 'echo', requests: part, maxMs: 240_000, tools: 2 });
      done += n;
    }
    heaps.push(await heapOf(server));
    figures.add(`heap after ${done} calls`, heaps.at(-1) / 1e6, { unit: 'MB' });
  }
  figures.add('calls', done, { least: CALLS });
  figures.add('from 4,000 to 16,000', (heaps[1] - heaps[0]) / 1e6, { unit: 'MB', most: SLACK / 1e6 });
  figures.add('from 16,000 to the end', (heaps[2] - heaps[1]) / 1e6, { unit: 'MB', most: SLACK / 1e6 });
  figures.add('bytes a call', (heaps[2] - heaps[1]) / (CALLS - 16_000), { most: 5 });
  for (const pool of pools) for (const connection of pool.conns) connection.close();
  await server.stop();
  return figures.broken;
}
