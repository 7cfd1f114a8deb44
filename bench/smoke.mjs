// Starts each contestant once and checks echo, echo64k and tools/list: node smoke.mjs [a,b]; --ours leaves out the peers.
import { contestants } from './contestants.mjs';
import { start, ready } from './lib/proc.mjs';
import { Wire, workloads } from './lib/mcp.mjs';
import { rpcOf, header } from './lib/http.mjs';
const only = process.argv
  .slice(2)
  .find((word) => !word.startsWith('--'))
  ?.split(',');
const ours = process.argv.includes('--ours');
let bad = 0;
for (const c of Object.values(contestants)) {
  if ((only && !only.includes(c.name)) || (ours && c.peer)) continue;
  const s = start(c, { tools: 200 });
  try {
    const r = await ready(s, { list: true, tools: 200 });
    const wire = new Wire(s.target);
    const conn = await wire.open(s.target.session);
    let ct = '';
    for (const [k, w] of Object.entries(workloads)) {
      const res = await conn.request(wire.maker(w.method, w.params, conn.session)(1000001));
      w.check(rpcOf(res), { tools: 200 });
      ct += `${k}=${header(res, 'content-type')?.split(';')[0]}/${res.body.length} `;
    }
    const st = await s.stats({ gc: true });
    console.log(
      'ok',
      c.name.padEnd(24),
      ct,
      `first call ${r.firstCall.toFixed(0)} ms, heap ${(st.mem.heapUsed / 1e6).toFixed(1)} MB`,
    );
    conn.close();
  } catch (e) {
    bad++;
    console.log('FAIL', c.name, e.message);
  } finally {
    await s.stop();
  }
}
process.exit(bad ? 1 : 0);
