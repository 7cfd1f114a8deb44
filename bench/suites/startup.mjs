// From the start of the process until it listens, answers an echo, and lists its tools.
import { list, number, option, pick } from '../lib/options.mjs';
import { median, ready, start } from '../lib/proc.mjs';
import { fixed, megabytes, save, table } from '../lib/report.mjs';

const NAMES = [
  ...['raw-http', 'nest-express', 'nest-fastify', 'ours-express', 'ours-express-visible', 'ours-fastify'],
  ...['sdk1-stateless', 'sdk1-stateful', 'sdk2-express', 'sdk2-stateful'],
  ...['mcp-nest-stateless', 'mcp-nest-stateful', 'fastmcp-stateless', 'fastmcp-stateful'],
];

/** Rounds over all, in turn; the first warms the disk cache and is left out. */
export async function startups(contestants, { tools, rounds }) {
  const measured = new Map(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const contestant of contestants) {
      const server = start(contestant, { tools });
      try {
        const times = await ready(server, { list: true, tools });
        const { cpuUs, mem } = await server.stats();
        if (round > 0) measured.get(contestant.name).push({ ...times, cpu: cpuUs / 1000, rss: mem.rss });
      } catch (error) {
        console.error(`${contestant.name}: ${error.message}`);
      } finally {
        await server.stop();
      }
    }
  }
  return measured;
}

export async function startup() {
  const rounds = number('rounds', 5);
  const reference = option('ref', 'nest-express');
  const saved = [];
  const sizes = list('tools').length > 0 ? list('tools').map(Number) : [2, 200, 2000];
  for (const tools of sizes) {
    const measured = await startups(pick(NAMES), { tools, rounds });
    const middle = (name, figure) => median((measured.get(name) ?? []).map((run) => run[figure]));
    const bare = measured.get(reference) ?? [];
    const rows = [...measured].map(([name, runs]) => ({
      tools,
      name,
      ...Object.fromEntries(
        ['listening', 'firstCall', 'firstList', 'cpu', 'rss'].map((figure) => [figure, middle(name, figure)]),
      ),
      relative: median(runs.map((run, i) => run.listening / bare[i]?.listening)),
      runs,
    }));
    saved.push(...rows);
    table(
      `start-up, ${tools} tools, median of ${rounds}`,
      ['contestant', 'listening ms', `÷ ${reference}`, 'first echo ms', 'first list ms', 'CPU ms until then', 'RSS MB'],
      rows.map((row) => [
        row.name,
        fixed(row.listening, 0),
        fixed(row.relative, 2),
        fixed(row.firstCall, 0),
        fixed(row.firstList, 0),
        fixed(row.cpu, 0),
        megabytes(row.rss),
      ]),
    );
    save('startup', saved);
  }
}
