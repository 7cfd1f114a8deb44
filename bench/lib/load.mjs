// Closed-loop load: `connections` sockets, each sends its next request when the last was answered and checked.
import { Wire, workloads } from './mcp.mjs';
import { rpcOf, header } from './http.mjs';

export async function openAll(target, connections) {
  const wire = new Wire(target);
  const conns = [];
  while (conns.length < connections) {
    const k = Math.min(64, connections - conns.length); // in parallel: some servers take a second per session
    conns.push(...(await Promise.all(Array.from({ length: k }, () => wire.open(target.session)))));
  }
  return { wire, conns };
}

// Servers close idle connections after some seconds; reconnect those before a round, outside of what is measured.
export async function revive(pool) {
  await Promise.all(
    pool.conns.map((c) => {
      if (!c.dead) return;
      c.reset();
      return c.connect();
    }),
  );
}

export async function load(target, pool, { workload, requests, maxMs, tools }) {
  const w = workloads[workload];
  const { wire, conns } = pool;
  const lat = new Float64Array(requests);
  let sent = 0;
  let done = 0;
  let id = 1000001;
  let size = 0;
  let ctype;
  const t0 = process.hrtime.bigint();
  const stopAt = Date.now() + maxMs;
  await new Promise((resolve, reject) => {
    let live = conns.length;
    for (const c of conns) {
      const make = ((c.makers ??= {})[workload] ??= wire.maker(w.method, w.params, c.session));
      const next = () => {
        if (sent >= requests || Date.now() > stopAt) {
          if (--live === 0) resolve();
          return;
        }
        sent++;
        const my = id++;
        const s = performance.now();
        c.send(make(my), (err, res) => {
          if (err) return reject(err);
          try {
            lat[done++] = performance.now() - s;
            if (res.status !== 200) throw new Error(`status ${res.status}: ${res.body.slice(0, 300)}`);
            if (!w.sample || done % w.sample === 1 || res.body.length !== size) {
              const m = rpcOf(res);
              if (m.id !== my) throw new Error(`answer to ${m.id}, asked ${my}`);
              w.check(m, { tools });
              if (!size) {
                size = res.body.length;
                ctype = header(res, 'content-type');
              }
            }
          } catch (e) {
            return reject(e);
          }
          next();
        });
      };
      next();
    }
  });
  const secs = Number(process.hrtime.bigint() - t0) / 1e9;
  const l = lat.subarray(0, done).sort();
  return {
    n: done,
    secs,
    rps: done / secs,
    p50: l[done >> 1],
    p99: l[Math.min(done - 1, Math.floor(done * 0.99))],
    bytes: size,
    ctype,
  };
}
