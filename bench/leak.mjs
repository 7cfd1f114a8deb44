// Heap after GC as calls go by: node leak.mjs [--only a,b] [--steps 5] [--n 4000]. A growing column is a leak.
import { contestants } from './contestants.mjs';
import { start, ready } from './lib/proc.mjs';
import { load, openAll } from './lib/load.mjs';
const opt = (k, d) => {
  const i = process.argv.indexOf('--' + k);
  return i < 0 ? d : process.argv[i + 1];
};
for (const name of opt('only', 'ours-express,ours-express-modern,ours-express-sessions,ours-fastify').split(',')) {
  const s = start(contestants[name], { tools: 2 });
  await ready(s);
  const out = [];
  let total = 0;
  let pool;
  for (let k = 0; k < +opt('steps', 5); k++) {
    if (!pool || opt('reconnect', '0') === '1') pool = await openAll(s.target, 16);
    const m = await load(s.target, pool, { workload: 'echo', requests: +opt('n', 4000), maxMs: 20000, tools: 2 });
    total += m.n;
    const open = (await s.stats({ gc: true })).mem.heapUsed;
    out.push(`${total}: ${(open / 1e6).toFixed(1)} MB`);
  }
  for (const c of pool.conns) c.close();
  await new Promise((r) => setTimeout(r, 1500));
  out.push(`connections closed: ${((await s.stats({ gc: true })).mem.heapUsed / 1e6).toFixed(1)} MB`);
  console.log(name.padEnd(24), out.join(', '));
  await s.stop();
}
process.exit(0);
