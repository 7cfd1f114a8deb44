// One contestant at a time under unbroken load: the lowest, least noisy CPU per request. The reference runs again after
// every third contestant; ratios are to the median of all its runs.
import { load, openAll } from '../lib/load.mjs';
import { number, option } from '../lib/options.mjs';
import { median, ready, start } from '../lib/proc.mjs';
import { fixed, megabytes, save, table } from '../lib/report.mjs';
import { taking } from './http.mjs';

async function measure(contestant, { workload, tools }) {
  const server = start(contestant, { tools });
  try {
    await ready(server);
    const pool = await openAll(server.target, 16);
    const work = { workload, tools };
    await load(server.target, pool, { ...work, requests: number('warm', 8000), maxMs: number('warm-ms', 9000) });
    const rounds = [];
    for (let round = 0; round < number('rounds', 5); round += 1) {
      const before = await server.stats();
      const measured = await load(server.target, pool, { ...work, requests: number('n', 1500), maxMs: 1500 });
      rounds.push({ ...measured, cpu: ((await server.stats()).cpuUs - before.cpuUs) / measured.n });
    }
    const { rss } = (await server.stats()).mem;
    const heap = (await server.stats({ gc: true })).mem.heapUsed;
    for (const connection of pool.conns) connection.close();
    const figures = ['cpu', 'rps', 'p50', 'p99'].map((key) => [key, median(rounds.map((round) => round[key]))]);
    return { ...Object.fromEntries(figures), least: Math.min(...rounds.map(({ cpu }) => cpu)), rss, heap };
  } finally {
    await server.stop();
  }
}

export async function steady() {
  const work = { workload: option('workload', 'echo'), tools: number('tools', 2) };
  const reference = option('ref', 'nest-express');
  const all = taking();
  const bare = all.find(({ name }) => name === reference);
  const others = all.filter((contestant) => contestant !== bare);
  const order = bare === undefined ? others : others.flatMap((one, i) => (i % 3 === 0 ? [bare, one] : [one]));
  const runs = new Map();
  for (const contestant of order) {
    try {
      const run = await measure(contestant, work);
      runs.set(contestant.name, [...(runs.get(contestant.name) ?? []), run]);
    } catch (error) {
      console.error(`${contestant.name}: ${error.message}`);
    }
  }
  const middle = (name, figure) => median((runs.get(name) ?? []).map((run) => run[figure]));
  const rows = [...runs.keys()].map((name) => ({ name, runs: runs.get(name) }));
  table(
    `steady: ${work.workload}, ${work.tools} tools, 16 connections, one at a time`,
    ['contestant', 'CPU µs/req', 'least', `CPU ÷ ${reference}`, 'req/s', 'p50 ms', 'p99 ms', 'RSS MB', 'heap MB'],
    rows.map(({ name }) => [
      name,
      fixed(middle(name, 'cpu'), 0),
      fixed(middle(name, 'least'), 0),
      fixed(middle(name, 'cpu') / middle(reference, 'cpu'), 2),
      fixed(middle(name, 'rps'), 0),
      fixed(middle(name, 'p50'), 2),
      fixed(middle(name, 'p99'), 2),
      megabytes(middle(name, 'rss')),
      megabytes(middle(name, 'heap'), 1),
    ]),
  );
  save('steady', rows);
}
