// Side-by-side runs: every contestant of a scenario is up at once, rounds are interleaved, medians are reported.
//   node run.mjs http     [--only a,b] [--scenarios echo-c32,...] [--rounds 5] [--round-ms 1000]
//   node run.mjs steady   [--only a,b] [--tools 2] [--workload echo]   one at a time, unbroken load
//   node run.mjs startup  [--only a,b] [--tools 2,200,2000]
//   node run.mjs memory   [--only a,b]            RSS and heap after 10,000 calls
//   node run.mjs sessions [--only a,b]            memory per open session and per open stream
//   node run.mjs stdio    [--only a,b]
// One more contestant: --add 'name=ours;cmd=node path/to/server.js;url=http://127.0.0.1:{port}/mcp;session=0;era=2025-06-18;cwd=.'
// Results: a table on stdout and out/<suite>.json
import { writeFileSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { contestants, stdioContestants } from './contestants.mjs';
import { start, ready, median, root } from './lib/proc.mjs';
import { load, openAll, revive } from './lib/load.mjs';
import { Wire, MODERN, workloads } from './lib/mcp.mjs';
import { rpcOf, Conn } from './lib/http.mjs';

const argv = process.argv.slice(2);
const suite = argv[0];
const opt = (k, d) => {
  const i = argv.indexOf('--' + k);
  return i < 0 ? d : argv[i + 1];
};
const REF = opt('ref', 'nest-express');
const rounds = +opt('rounds', 5);
const all = suite === 'stdio' ? stdioContestants : contestants;
argv.forEach((a, i) => {
  if (a !== '--add') return;
  const o = Object.fromEntries(
    argv[i + 1].split(';').map((kv) => [kv.slice(0, kv.indexOf('=')), kv.slice(kv.indexOf('=') + 1)]),
  );
  all[o.name] = {
    name: o.name,
    cmd: o.cmd.split(' '),
    url: o.url,
    session: o.session === '1',
    era: o.era || undefined,
    cwd: o.cwd,
  };
});
const only = opt('only', '')?.split(',').filter(Boolean);
const pick = (names) => (only.length ? only : names).filter((n) => all[n]).map((n) => all[n]);
const added = argv.map((a, i) => (a === '--add' ? /name=([^;]*)/.exec(argv[i + 1])[1] : null)).filter(Boolean);
const loadavg = () => readFileSync('/proc/loadavg', 'latin1').split(' ').slice(0, 3).join(' ');
const meta = {
  suite,
  date: new Date().toISOString(),
  node: process.version,
  cpu: os.cpus()[0].model,
  cores: os.cpus().length,
  loadStart: loadavg(),
};
const save = (rows) =>
  writeFileSync(`${root}out/${opt('out', suite)}.json`, JSON.stringify({ ...meta, loadEnd: loadavg(), rows }, null, 1));
const f = (x, n = 1) => (x === undefined || Number.isNaN(x) ? '-' : x.toFixed(n));
const table = (head, rows) => {
  console.log('| ' + head.join(' | ') + ' |\n|' + head.map((_, i) => (i ? '---:|' : '---|')).join(''));
  for (const r of rows) console.log('| ' + r.join(' | ') + ' |');
  console.log();
};

// What the tables need; --all adds the variants.
const CORE = [
  'raw-http',
  'nest-express',
  'nest-express-res',
  'nest-fastify',
  'sketch-express',
  'sketch-express-modern',
  'sketch-fastify',
  'sdk1-stateless',
  'sdk1-stateful',
  'sdk2-express',
  'sdk2-express-modern',
  'sdk2-stateful',
  'mcp-nest-stateless',
  'mcp-nest-modern',
  'mcp-nest-stateful',
  'fastmcp-stateless',
  'fastmcp-stateful',
  ...added,
];
const ALL = [...Object.keys(contestants).filter((n) => !added.includes(n)), ...added];
const SET = argv.includes('--all') ? ALL : CORE;
// Scenarios of one fleet share the server processes, so the long warm-up (JIT) is paid once per fleet.
const FLEETS = [
  {
    tools: 2,
    warm: { workload: 'echo', requests: +opt('warm', 10000), maxMs: +opt('warm-ms', 12000), c: 32 },
    scenarios: {
      'echo-c32': { workload: 'echo', c: 32, set: SET, max: 6000, warm: 200 },
      'echo-c1': { workload: 'echo', c: 1, set: SET, max: 3000, warm: 200 },
      'echo-c256': { workload: 'echo', c: 256, set: SET, max: 6000, warm: 500 },
      'echo64k-c32': { workload: 'echo64k', c: 32, set: SET, max: 2000, warm: 400 },
    },
  },
  {
    tools: 200,
    warm: { workload: 'list', requests: 400, maxMs: 6000, c: 8 },
    scenarios: {
      'list200-c8': { workload: 'list', c: 8, set: SET, max: 1000, warm: 20 },
      'echo200-c32': { workload: 'echo', c: 32, set: SET, max: 6000, warm: 3000, warmMs: 9000 },
    },
  },
];

async function http() {
  const roundMs = +opt('round-ms', 700);
  const wanted = opt('scenarios', '')?.split(',').filter(Boolean);
  const rows = [];
  for (const fleet of FLEETS) {
    const { tools } = fleet;
    const scs = Object.entries(fleet.scenarios).filter(([k]) => !wanted.length || wanted.includes(k));
    if (!scs.length) continue;
    const names = new Set(scs.flatMap(([, sc]) => sc.set));
    const live = [];
    for (const x of pick([...names])) {
      const l = { s: start(x, { tools }), name: x.name };
      live.push(l);
      try {
        await ready(l.s);
        const w = fleet.warm;
        const pool = await openAll(l.s.target, w.c);
        l.warm = await load(l.s.target, pool, { ...w, tools });
        l.rssWarm = (await l.s.stats()).mem.rss;
        for (const c of pool.conns) c.close();
        console.error(`${x.name}: warmed with ${l.warm.n} calls`);
      } catch (e) {
        console.error(`${x.name}: ${e.message}`);
        l.dead = e.message;
        await l.s.stop();
      }
    }
    for (const [sc, { workload, c, set, max, warm, warmMs = 4000 }] of scs) {
      const some = live.filter((l) => !l.dead && (only.length || set.includes(l.name)));
      for (const l of some) {
        l.r = [];
        delete l.bad;
        try {
          l.pool = await openAll(l.s.target, c);
          await load(l.s.target, l.pool, { workload, requests: warm, maxMs: warmMs, tools });
        } catch (e) {
          l.bad = e.message;
        }
      }
      for (let k = 0; k < rounds; k++) {
        const order = some.map((_, i) => some[(i + k * 5) % some.length]);
        for (const l of order) {
          if (l.bad) continue;
          try {
            await revive(l.pool);
            await load(l.s.target, l.pool, { workload, requests: c, maxMs: 2000, tools });
            const a = await l.s.stats();
            const m = await load(l.s.target, l.pool, { workload, requests: max, maxMs: roundMs, tools });
            const b = await l.s.stats();
            l.r.push({ ...m, cpu: (b.cpuUs - a.cpuUs) / m.n, rss: b.mem.rss });
          } catch (e) {
            l.bad = e.message;
          }
        }
      }
      const ref = some.find((l) => l.name === REF);
      for (const l of some) {
        for (const cn of l.pool?.conns ?? []) cn.close();
        if (l.bad) {
          console.error(`${sc} ${l.name}: ${l.bad}`);
          rows.push({ sc, name: l.name, bad: l.bad });
          continue;
        }
        const med = (k) => median(l.r.map((x) => x[k]));
        const rel = (k) => (ref && !ref.bad ? median(l.r.map((x, i) => x[k] / ref.r[i][k])) : NaN);
        rows.push({
          sc,
          name: l.name,
          rps: med('rps'),
          p50: med('p50'),
          p99: med('p99'),
          cpu: med('cpu'),
          cpuMin: Math.min(...l.r.map((x) => x.cpu)),
          relCpu: rel('cpu'),
          relRps: rel('rps'),
          rssWarm: l.rssWarm,
          warmed: l.warm.n,
          bytes: l.r[0].bytes,
          ctype: l.r[0].ctype,
          n: med('n'),
          reconnects: l.pool.conns.reduce((a, x) => a + x.reconnects, 0),
          rounds: l.r,
        });
      }
      console.log(
        `### ${sc}: ${workload}, ${tools} tools, ${c} connections, ${rounds} rounds of <= ${roundMs} ms or ${max} requests; load ${loadavg()}`,
      );
      table(
        [
          'contestant',
          'CPU us/req',
          'least',
          `CPU / ${REF}`,
          'req/s',
          `req/s / ${REF}`,
          'p50 ms',
          'p99 ms',
          'RSS after warm-up MB',
        ],
        rows
          .filter((r) => r.sc === sc)
          .map((r) =>
            r.bad
              ? [r.name, r.bad, '', '', '', '', '', '', '']
              : [
                  r.name,
                  f(r.cpu, 0),
                  f(r.cpuMin, 0),
                  f(r.relCpu, 2),
                  f(r.rps, 0),
                  f(r.relRps, 2),
                  f(r.p50, 2),
                  f(r.p99, 2),
                  f(r.rssWarm / 1e6, 0),
                ],
          ),
      );
      save(rows);
    }
    for (const l of live) await l.s.stop();
  }
}

async function startup() {
  const rows = [];
  const set = pick([
    'raw-http',
    'nest-express',
    'nest-fastify',
    'sketch-express',
    'sdk1-stateless',
    'sdk1-stateful',
    'sdk2-express',
    'sdk2-stateful',
    'mcp-nest-stateless',
    'mcp-nest-stateful',
    'fastmcp-stateless',
    'fastmcp-stateful',
    ...added,
  ]);
  for (const tools of opt('tools', '2,200,2000').split(',').map(Number)) {
    const acc = new Map(set.map((x) => [x.name, []]));
    for (let k = 0; k <= rounds; k++)
      for (const x of set) {
        const s = start(x, { tools });
        try {
          const r = await ready(s, { list: true, tools });
          const st = await s.stats();
          if (k) acc.get(x.name).push({ ...r, cpu: st.cpuUs / 1000, rss: st.mem.rss, heap: st.mem.heapUsed }); // round 0 warms the disk cache
        } catch (e) {
          console.error(`${x.name}: ${e.message}`);
        } finally {
          await s.stop();
        }
      }
    for (const [name, r] of acc) {
      const med = (k) => median(r.map((x) => x[k]));
      rows.push({
        tools,
        name,
        listening: med('listening'),
        firstCall: med('firstCall'),
        firstList: med('firstList'),
        cpu: med('cpu'),
        rss: med('rss'),
      });
    }
    console.log(`### startup, ${tools} tools, median of ${rounds}; load ${loadavg()}`);
    table(
      ['contestant', 'listening ms', 'first echo ms', 'first list ms', 'CPU ms until then', 'RSS MB'],
      rows
        .filter((r) => r.tools === tools)
        .map((r) => [r.name, f(r.listening, 0), f(r.firstCall, 0), f(r.firstList, 0), f(r.cpu, 0), f(r.rss / 1e6, 0)]),
    );
    save(rows);
  }
}

async function memory() {
  const rows = [];
  for (const tools of [2, 200])
    for (const x of pick(SET)) {
      const s = start(x, { tools });
      try {
        await ready(s);
        const a = await s.stats({ gc: true });
        const pool = await openAll(s.target, 32);
        const m = await load(s.target, pool, { workload: 'echo', requests: 10000, maxMs: 60000, tools });
        const b = await s.stats();
        const g = await s.stats({ gc: true });
        for (const c of pool.conns) c.close();
        rows.push({
          tools,
          name: x.name,
          n: m.n,
          rss0: a.mem.rss,
          heap0: a.mem.heapUsed,
          rss: b.mem.rss,
          heapGc: g.mem.heapUsed,
        });
      } catch (e) {
        console.error(`${x.name}: ${e.message}`);
      } finally {
        await s.stop();
      }
    }
  console.log(`### memory after 10,000 echo calls over 32 connections; load ${loadavg()}`);
  table(
    [
      'contestant',
      'tools',
      'RSS at start MB',
      'RSS after MB',
      'heap after GC, start MB',
      'heap after GC, end MB',
      'calls',
    ],
    rows.map((r) => [r.name, r.tools, f(r.rss0 / 1e6, 0), f(r.rss / 1e6, 0), f(r.heap0 / 1e6), f(r.heapGc / 1e6), r.n]),
  );
  save(rows);
}

async function sessions() {
  const N = +opt('n', 1000);
  const rows = [];
  const snap = async (s) => {
    await new Promise((r) => setTimeout(r, 300));
    const m = (await s.stats({ gc: true })).mem;
    return { heap: m.heapUsed + (m.external ?? 0), rss: m.rss };
  };
  for (const tools of [2, 200])
    for (const x of pick([
      'raw-http',
      'sdk1-stateful',
      'sdk2-stateful',
      'mcp-nest-stateful',
      'fastmcp-stateful',
      'sdk2-express-modern',
      'mcp-nest-modern',
      ...added,
    ])) {
      const s = start(x, { tools });
      const conns = [];
      try {
        await ready(s);
        const wire = new Wire(s.target);
        const base = await snap(s);
        let withSessions = base;
        const ids = [];
        let initCpu;
        if (x.session) {
          const cs = await Promise.all(Array.from({ length: 50 }, () => wire.open(false)));
          conns.push(...cs);
          const some = async (n) => {
            let left = n;
            await Promise.all(
              cs.map(async (c) => {
                while (left-- > 0) ids.push(await wire.initialize(c));
              }),
            );
          };
          await some(100);
          const warm = await snap(s);
          const c0 = await s.stats();
          await some(N);
          const c1 = await s.stats();
          initCpu = (c1.cpuUs - c0.cpuUs) / N;
          withSessions = await snap(s);
          withSessions.base = warm;
        }
        let streams = 0;
        let err = '';
        for (let i = 0; i < N; i++) {
          const c = await new Conn(wire.host, wire.port).connect();
          conns.push(c);
          const head = await new Promise((resolve, reject) => {
            c.onHead = resolve;
            const t = setTimeout(() => reject(new Error('no response head to the stream request')), 3000);
            const done = (e, r) => (clearTimeout(t), e ? reject(e) : resolve(r));
            const req =
              x.era === MODERN
                ? wire.maker('subscriptions/listen', { notifications: { toolsListChanged: true } })(1000000 + i)
                : wire.head('GET', x.session ? { 'Mcp-Session-Id': ids[i] } : {}) + '\r\n';
            c.send(req, done);
            c.onHead = (r) => (clearTimeout(t), resolve(r));
          }).catch((e) => ({ status: 0, head: e.message }));
          if (head.status !== 200 || !/event-stream/i.test(head.head)) {
            err = `${head.status} ${String(head.head).slice(0, 80)} ${head.body ?? ''}`;
            break;
          }
          streams++;
        }
        const withStreams = await snap(s);
        rows.push({
          tools,
          name: x.name,
          streams,
          err,
          initCpu,
          perSessionHeap: x.session ? (withSessions.heap - withSessions.base.heap) / N : undefined,
          perSessionRss: x.session ? (withSessions.rss - withSessions.base.rss) / N : undefined,
          perStreamHeap: streams ? (withStreams.heap - withSessions.heap) / streams : undefined,
          perStreamRss: streams ? (withStreams.rss - withSessions.rss) / streams : undefined,
        });
      } catch (e) {
        console.error(`${x.name}: ${e.message}`);
      } finally {
        for (const c of conns) c.close();
        await s.stop();
      }
    }
  console.log(`### ${N} open sessions, then ${N} open streams; heap = heapUsed + external after GC; load ${loadavg()}`);
  table(
    [
      'contestant',
      'tools',
      'CPU us per initialize+initialized',
      'heap KB/session',
      'RSS KB/session',
      'streams',
      'heap KB/stream',
      'RSS KB/stream',
      'note',
    ],
    rows.map((r) => [
      r.name,
      r.tools,
      f(r.initCpu, 0),
      f(r.perSessionHeap / 1024),
      f(r.perSessionRss / 1024),
      r.streams,
      f(r.perStreamHeap / 1024),
      f(r.perStreamRss / 1024),
      r.err,
    ]),
  );
  save(rows);
}

async function stdio() {
  const N = +opt('n', 20000);
  const W = +opt('window', 256);
  const names = pick(Object.keys(stdioContestants));
  const acc = new Map(names.map((x) => [x.name, []]));
  const text = 'hello, world';
  for (let k = 0; k < Math.min(rounds, 5); k++)
    for (const x of names) {
      const s = start(x, { tools: 2, stdio: true });
      try {
        const t0 = performance.now();
        const io = s.child;
        let rest = '';
        let noise = 0;
        let onMsg;
        io.stdout.setEncoding('utf8');
        io.stdout.on('data', (d) => {
          const lines = (rest + d).split('\n');
          rest = lines.pop();
          for (const l of lines) {
            if (l[0] === '{') onMsg(JSON.parse(l));
            else if (l) noise++; // not a protocol line: counted, reported
          }
        });
        const put = (m) => io.stdin.write(JSON.stringify(m) + '\n');
        await new Promise((resolve, reject) => {
          onMsg = (m) => (m.id === 0 && m.result ? resolve() : reject(new Error(JSON.stringify(m))));
          s.exited.then(() => reject(new Error('exited')));
          put({
            jsonrpc: '2.0',
            id: 0,
            method: 'initialize',
            params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
          });
        });
        const startMs = performance.now() - t0;
        put({ jsonrpc: '2.0', method: 'notifications/initialized' });
        const phase = (n, from) =>
          new Promise((resolve, reject) => {
            let next = from;
            let got = 0;
            const one = () => {
              if (next < from + n)
                put({
                  jsonrpc: '2.0',
                  id: next++,
                  method: 'tools/call',
                  params: { name: 'echo', arguments: { text } },
                });
            };
            onMsg = (m) => {
              if (m.id === undefined) return;
              if (m.id < from || m.id >= from + n || m.result?.content?.[0]?.text !== text)
                return reject(new Error(JSON.stringify(m)));
              if (++got === n) return resolve();
              one();
            };
            s.exited.then(() => reject(new Error('exited')));
            for (let i = 0; i < W; i++) one();
          });
        await phase(4000, 1); // warm-up
        const a = await s.stats();
        const t1 = performance.now();
        await phase(N, 100000);
        const ms = performance.now() - t1;
        const b = await s.stats();
        acc.get(x.name).push({ rps: (N / ms) * 1000, cpu: (b.cpuUs - a.cpuUs) / N, rss: b.mem.rss, startMs, noise });
      } catch (e) {
        console.error(`${x.name}: ${e.message}`);
      } finally {
        await s.stop();
      }
    }
  const rows = [...acc].map(([name, r]) => ({
    name,
    r,
    rps: median(r.map((x) => x.rps)),
    cpu: median(r.map((x) => x.cpu)),
    rss: median(r.map((x) => x.rss)),
    startMs: median(r.map((x) => x.startMs)),
    rel: median(r.map((x, i) => x.cpu / acc.get('raw-stdio')?.[i]?.cpu)),
  }));
  console.log(`### stdio: ${N} echo calls, ${W} in flight; load ${loadavg()}`);
  table(
    [
      'contestant',
      'CPU us/call',
      'CPU / raw-stdio',
      'calls/s',
      'RSS MB',
      'spawn to initialize answer ms',
      'non-protocol stdout lines',
    ],
    rows.map((r) => [
      r.name,
      f(r.cpu, 1),
      f(r.rel, 2),
      f(r.rps, 0),
      f(r.rss / 1e6, 0),
      f(r.startMs, 0),
      r.r[0]?.noise ?? '-',
    ]),
  );
  save(rows);
}

// One contestant at a time under unbroken load: the lowest, least noisy CPU per request. The reference runs again after
// every third contestant, ratios are to the median of all its runs.
async function steady() {
  const workload = opt('workload', 'echo');
  const tools = +opt('tools', 2);
  const names = pick(SET).map((x) => x.name);
  const order = names.filter((n) => n !== REF).flatMap((n, i) => (i % 3 === 0 ? [REF, n] : [n]));
  const acc = new Map();
  for (const name of order) {
    const s = start(all[name], { tools });
    try {
      await ready(s);
      const pool = await openAll(s.target, 16);
      const cfg = { workload, tools };
      await load(s.target, pool, { ...cfg, requests: +opt('warm', 8000), maxMs: +opt('warm-ms', 9000) });
      const r = [];
      for (let k = 0; k < rounds; k++) {
        const a = await s.stats();
        const m = await load(s.target, pool, { ...cfg, requests: +opt('n', 1500), maxMs: 1500 });
        r.push({ ...m, cpu: ((await s.stats()).cpuUs - a.cpuUs) / m.n });
      }
      const mem = (await s.stats()).mem;
      const heap = (await s.stats({ gc: true })).mem.heapUsed;
      for (const c of pool.conns) c.close();
      if (!acc.has(name)) acc.set(name, []);
      acc.get(name).push({
        cpu: median(r.map((x) => x.cpu)),
        least: Math.min(...r.map((x) => x.cpu)),
        rps: median(r.map((x) => x.rps)),
        p50: median(r.map((x) => x.p50)),
        p99: median(r.map((x) => x.p99)),
        rss: mem.rss,
        heap,
      });
    } catch (e) {
      console.error(`${name}: ${e.message}`);
    } finally {
      await s.stop();
    }
  }
  const med = (name, k) => median((acc.get(name) ?? []).map((x) => x[k]));
  const rows = [...acc.keys()].map((name) => ({
    name,
    ...Object.fromEntries(['cpu', 'least', 'rps', 'p50', 'p99', 'rss', 'heap'].map((k) => [k, med(name, k)])),
    rel: med(name, 'cpu') / med(REF, 'cpu'),
    runs: acc.get(name),
  }));
  console.log(`### steady: ${workload}, ${tools} tools, 16 connections, one at a time; load ${loadavg()}`);
  table(
    ['contestant', 'CPU us/req', 'least', `CPU / ${REF}`, 'req/s', 'p50 ms', 'p99 ms', 'RSS MB', 'heap after GC MB'],
    rows.map((r) => [
      r.name,
      f(r.cpu, 0),
      f(r.least, 0),
      f(r.rel, 2),
      f(r.rps, 0),
      f(r.p50, 2),
      f(r.p99, 2),
      f(r.rss / 1e6, 0),
      f(r.heap / 1e6),
    ]),
  );
  save(rows);
}

const suites = { http, steady, startup, memory, sessions, stdio };
if (!suites[suite]) {
  console.error('usage: node run.mjs http|steady|startup|memory|sessions|stdio [options], see the head of this file');
  process.exit(2);
}
await suites[suite]();
process.exit(0);
