// Echo calls over a pipe.
import { number, pickStdio } from '../lib/options.mjs';
import { median, start } from '../lib/proc.mjs';
import { fixed, megabytes, save, table } from '../lib/report.mjs';
import { StdioClient } from '../lib/stdio-load.mjs';

async function measure(contestant, { calls, window }) {
  const server = start(contestant, { tools: 2, stdio: true });
  try {
    const began = performance.now();
    const client = new StdioClient(server);
    await client.initialize();
    const startMs = performance.now() - began;
    await client.echo(number('warm', 8000), 1, window);
    const before = await server.stats();
    const from = performance.now();
    await client.echo(calls, 100_000, window);
    const ms = performance.now() - from;
    const after = await server.stats();
    const cpu = (after.cpuUs - before.cpuUs) / calls;
    return { rps: (calls / ms) * 1000, cpu, rss: after.mem.rss, startMs, noise: client.noise };
  } finally {
    await server.stop();
  }
}

export async function stdio() {
  const work = { calls: number('n', 20_000), window: number('window', 256) };
  const runs = new Map();
  for (let round = 0; round < number('rounds', 5); round += 1) {
    for (const contestant of pickStdio()) {
      try {
        const run = await measure(contestant, work);
        runs.set(contestant.name, [...(runs.get(contestant.name) ?? []), run]);
      } catch (error) {
        console.error(`${contestant.name}: ${error.message}`);
      }
    }
  }
  const bare = runs.get('raw-stdio') ?? [];
  const rows = [...runs].map(([name, all]) => ({
    name,
    ...Object.fromEntries(['cpu', 'rps', 'rss', 'startMs'].map((key) => [key, median(all.map((run) => run[key]))])),
    relative: median(all.map((run, i) => run.cpu / bare[i]?.cpu)),
    noise: all[0].noise,
    runs: all,
  }));
  table(
    `stdio: ${work.calls} echo calls, ${work.window} in flight`,
    ['contestant', 'CPU µs/call', 'CPU ÷ raw-stdio', 'calls/s', 'RSS MB', 'start ms', 'other lines on stdout'],
    rows.map((row) => [
      row.name,
      fixed(row.cpu, 1),
      fixed(row.relative, 2),
      fixed(row.rps, 0),
      megabytes(row.rss),
      fixed(row.startMs, 0),
      row.noise,
    ]),
  );
  save('stdio', rows);
}
