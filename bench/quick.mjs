// The ratios that matter, in under 50 seconds: CPU per request of this package ÷ a bare Nest controller (or, for stdio,
// a bare line loop), interleaved in one run, median of the rounds. `--json` prints one object.
import { contestants, stdioContestants } from './contestants.mjs';
import { load, openAll, revive } from './lib/load.mjs';
import { median, ready, start } from './lib/proc.mjs';
import { StdioClient } from './lib/stdio-load.mjs';

const ROUNDS = 5;
const ROUND_MS = 260;
/** Until the code of a server is compiled, its CPU per request is that of the compiler. */
const WARM_CALLS = 12_000;
const WARM_MS = 2_000;
const all = { ...contestants, ...stdioContestants };

async function up(name, tools) {
  const server = start(all[name], { tools });
  await ready(server);
  return { server, tools };
}

/** One measured column: a server, the era it is called in, and the work. */
async function column({ server, tools }, workload, connections, { era, warm = true } = {}) {
  const target = { ...server.target, era };
  return { server, target, tools, workload, warm, pool: await openAll(target, connections), rounds: [] };
}

async function run(column_, requests, maxMs) {
  await revive(column_.pool);
  const { target, pool, workload, tools } = column_;
  return load(target, pool, { workload, requests, maxMs, tools });
}

async function measure(columns) {
  for (const c of columns) if (c.warm) await run(c, WARM_CALLS, WARM_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < columns.length; i++) {
      const c = columns[(i + round) % columns.length];
      await run(c, 40, 100);
      const before = await c.server.stats();
      const { n } = await run(c, 6000, ROUND_MS);
      c.rounds.push(((await c.server.stats()).cpuUs - before.cpuUs) / n);
    }
  }
  for (const c of columns) for (const connection of c.pool.conns) connection.close();
}

const ratio = (a, b) => median(a.rounds.map((cpu, i) => cpu / b.rounds[i]));
const worst = (b, ...columns) => Math.max(...columns.map((a) => ratio(a, b)));

async function http() {
  const [nest, nestFastify, ours, oursFastify, nest200, ours200, visible200] = await Promise.all([
    up('nest-express', 2),
    up('nest-fastify', 2),
    up('ours-express', 2),
    up('ours-fastify', 2),
    up('nest-express', 200),
    up('ours-express', 200),
    up('ours-express-visible', 200),
  ]);
  const modern = '2026-07-28';
  const echo = await Promise.all([
    column(nest, 'echo', 32),
    column(ours, 'echo', 32),
    column(ours, 'echo', 32, { era: modern }),
    column(ours200, 'echo', 32),
    column(nestFastify, 'echo', 32),
    column(oursFastify, 'echo', 32),
    column(oursFastify, 'echo', 32, { era: modern }),
  ]);
  await measure(echo);
  const big = await Promise.all([column(nest, 'echo64k', 32), column(ours, 'echo64k', 32)]);
  await measure(big);
  const list = await Promise.all([
    column(nest200, 'list', 8),
    column(ours200, 'list', 8),
    column(ours200, 'list', 8, { era: modern }),
    column(visible200, 'list', 8),
  ]);
  await measure(list);
  for (const { server } of [nest, nestFastify, ours, oursFastify, nest200, ours200, visible200]) await server.stop();
  return {
    echoExpress: worst(echo[0], echo[1], echo[2]),
    echoFastify: worst(echo[4], echo[5], echo[6]),
    echo200over2: ratio(echo[3], echo[1]),
    echo64k: ratio(big[1], big[0]),
    listExpress: worst(list[0], list[1], list[2]),
    listVisible: ratio(list[3], list[0]),
  };
}

async function stdio() {
  const columns = [];
  for (const name of ['raw-stdio', 'ours-stdio']) {
    const server = start(all[name], { tools: 2, stdio: true });
    const client = new StdioClient(server);
    await client.initialize();
    await client.echo(8000, 1);
    columns.push({ server, client, rounds: [] });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const c of columns) {
      const before = await c.server.stats();
      await c.client.echo(6000, 100_000 * (round + 1));
      c.rounds.push(((await c.server.stats()).cpuUs - before.cpuUs) / 6000);
    }
  }
  for (const { server } of columns) await server.stop();
  return { stdioEcho: ratio(columns[1], columns[0]) };
}

const figures = { ...(await http()), ...(await stdio()) };
for (const key of Object.keys(figures)) figures[key] = Math.round(figures[key] * 1000) / 1000;
if (process.argv.includes('--json')) {
  console.log(JSON.stringify(figures));
} else {
  console.log('CPU per request ÷ the bare controller (stdio: ÷ a bare line loop), median of the rounds');
  for (const [key, value] of Object.entries(figures)) console.log(`${key.padEnd(14)} ${value.toFixed(2)}`);
}
process.exit(0);
