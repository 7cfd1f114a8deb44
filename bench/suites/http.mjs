// Every work over HTTP, interleaved. Works of one fleet share the servers, so that the warm-up is paid once.
import { compare, launch, middle, ratio } from '../lib/fleet.mjs';
import { flag, list, number, option, pick } from '../lib/options.mjs';
import { fixed, megabytes, save, table } from '../lib/report.mjs';
import { contestants } from '../contestants.mjs';

// What the tables need; --all adds the variants.
export const CORE = [
  ...['raw-http', 'nest-express', 'nest-express-res', 'nest-fastify'],
  ...['ours-express', 'ours-express-modern', 'ours-express-sessions', 'ours-express-visible'],
  ...['ours-fastify', 'ours-fastify-modern'],
  ...['sdk1-stateless', 'sdk1-stateful', 'sdk2-express', 'sdk2-express-modern', 'sdk2-stateful'],
  ...['mcp-nest-stateless', 'mcp-nest-modern', 'mcp-nest-fastify', 'mcp-nest-stateful'],
  ...['fastmcp-stateless', 'fastmcp-stateful'],
];
export const taking = () => pick(flag('all') ? Object.keys(contestants) : CORE);

const FLEETS = [
  {
    tools: 2,
    warm: { workload: 'echo', requests: number('warm', 10_000), maxMs: number('warm-ms', 12_000), connections: 32 },
    works: {
      'echo-c32': { workload: 'echo', connections: 32, requests: 6000, warm: 200 },
      'echo-c1': { workload: 'echo', connections: 1, requests: 3000, warm: 200 },
      'echo-c256': { workload: 'echo', connections: 256, requests: 6000, warm: 500 },
      'echo64k-c32': { workload: 'echo64k', connections: 32, requests: 2000, warm: 400 },
    },
  },
  {
    tools: 200,
    warm: { workload: 'list', requests: 400, maxMs: 6000, connections: 8 },
    works: {
      'list200-c8': { workload: 'list', connections: 8, requests: 1000, warm: 20 },
      'echo200-c32': { workload: 'echo', connections: 32, requests: 6000, warm: 3000, warmMs: 9000 },
    },
  },
];

const HEAD = ['contestant', 'CPU µs/req', 'least', 'CPU ÷ bare', 'req/s', 'req/s ÷ bare', 'p50 ms', 'p99 ms', 'RSS MB'];

/** A contestant on Fastify is held against the bare controller on Fastify, every other against the one on Express. */
function bareOf(column, columns) {
  const name = option('ref', column.contestant.env?.PLATFORM === 'fastify' ? 'nest-fastify' : 'nest-express');
  return columns.find((other) => other.name === name);
}

function rowOf(column, columns) {
  const { name, failed, rss, rounds } = column;
  if (failed !== undefined) return { name, failed };
  const bare = bareOf(column, columns);
  const figures = ['cpu', 'rps', 'p50', 'p99', 'n'].map((figure) => [figure, middle(column, figure)]);
  return {
    name,
    ...Object.fromEntries(figures),
    least: Math.min(...rounds.map(({ cpu }) => cpu)),
    relCpu: ratio(column, bare),
    relRps: ratio(column, bare, 'rps'),
    rss,
    rounds,
  };
}

export async function http() {
  const wanted = list('scenarios');
  const rounds = number('rounds', 5);
  const roundMs = number('round-ms', 700);
  const saved = [];
  for (const { tools, warm, works } of FLEETS) {
    const chosen = Object.entries(works).filter(([name]) => wanted.length === 0 || wanted.includes(name));
    if (chosen.length === 0) continue;
    const fleet = await launch(taking(), { tools, warm });
    for (const [name, work] of chosen) {
      const columns = await compare(fleet, { warmMs: 4000, ...work, tools, rounds, roundMs });
      const rows = columns.map((column) => ({ work: name, ...rowOf(column, columns) }));
      saved.push(...rows);
      table(
        `${name}: ${work.workload}, ${tools} tools, ${work.connections} connections, ${rounds} rounds`,
        HEAD,
        rows.map((row) => [
          row.name,
          ...(row.failed === undefined
            ? [
                fixed(row.cpu, 0),
                fixed(row.least, 0),
                fixed(row.relCpu, 2),
                fixed(row.rps, 0),
                fixed(row.relRps, 2),
                fixed(row.p50, 2),
                fixed(row.p99, 2),
                megabytes(row.rss),
              ]
            : [row.failed, ...HEAD.slice(2).map(() => '')]),
        ]),
      );
      save('http', saved);
    }
    for (const { server } of fleet) await server.stop();
  }
}
