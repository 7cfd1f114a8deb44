// Start and stop one contestant; CPU and memory through the preloaded probe, /proc as fallback.
import { spawn } from 'node:child_process';
import { readFileSync, openSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Wire, workloads } from './mcp.mjs';
import { rpcOf } from './http.mjs';

const probe = new URL('./probe.mjs', import.meta.url).href;
export const root = fileURLToPath(new URL('..', import.meta.url));
let nextPort = Number(process.env.BENCH_PORT ?? 21100);
export const freePort = () => nextPort++;

export function start(c, { tools = 2, env = {}, stdio = false, nodeArgs = [] } = {}) {
  mkdirSync(root + 'out', { recursive: true });
  const port = stdio ? 0 : freePort();
  const log = openSync(`${root}out/${c.name}.log`, 'a');
  const [cmd, ...args] = c.cmd.map((a) => a.replaceAll('{port}', String(port)));
  const child = spawn(cmd, [...nodeArgs, ...args], {
    cwd: c.cwd ?? root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NODE_OPTIONS: `--import=${probe}`,
      BENCH_PROBE: '1',
      PORT: String(port),
      TOOLS: String(tools),
      ...c.env,
      ...env,
    },
    stdio: [stdio ? 'pipe' : 'ignore', stdio ? 'pipe' : log, log, 'ipc'],
  });
  const url = (c.url ?? 'http://127.0.0.1:{port}/mcp').replaceAll('{port}', String(port));
  const s = { c, child, port, pid: child.pid, target: { url, era: c.era, session: c.session, headers: c.headers } };
  let id = 0;
  const waiting = new Map();
  child.on('message', (m) => {
    if (m?.bench === 1) {
      waiting.get(m.id)?.(m);
      waiting.delete(m.id);
    }
  });
  s.exited = new Promise((r) => child.once('exit', (code, sig) => ((s.dead = true), r({ code, sig }))));
  s.stats = ({ gc = false, prof } = {}) =>
    new Promise((resolve, reject) => {
      if (s.noProbe) return resolve(fromProc(s.pid));
      const my = ++id;
      const t = setTimeout(() => {
        waiting.delete(my);
        s.noProbe = true; // not a Node process, or one without the probe
        try {
          resolve(fromProc(s.pid));
        } catch (e) {
          reject(e);
        }
      }, 8000);
      waiting.set(my, (m) => {
        clearTimeout(t);
        resolve({
          cpuUs: m.cpu.user + m.cpu.system,
          mem: { ...m.mem, rss: fromProc(s.pid).mem.rss },
          profile: m.profile,
        });
      });
      child.send({ bench: 1, id: my, gc, prof }, (e) => e && reject(e));
    });
  s.exitCleanly = async () => {
    try {
      child.send({ bench: 1, exit: true });
    } catch {}
    const t = setTimeout(() => child.kill('SIGKILL'), 3000);
    await s.exited;
    clearTimeout(t);
  };
  s.stop = async () => {
    if (s.dead) return;
    child.kill('SIGTERM');
    const t = setTimeout(() => child.kill('SIGKILL'), 1500);
    await s.exited;
    clearTimeout(t);
  };
  return s;
}

function fromProc(pid) {
  const f = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) * 1024;
  return { cpuUs: (Number(f[11]) + Number(f[12])) * 10000, mem: { rss } };
}

// Resolves when the first echo call (and, with list, the first tools/list) has been answered correctly.
export async function ready(s, { timeoutMs = 30000, list = false, tools = 2 } = {}) {
  const t0 = performance.now();
  const wire = new Wire(s.target);
  let listening = 0;
  for (;;) {
    if (s.dead) throw new Error(`${s.c.name} exited before it listened, see out/${s.c.name}.log`);
    if (performance.now() - t0 > timeoutMs) throw new Error(`${s.c.name} not ready in ${timeoutMs} ms`);
    try {
      const c = await wire.open(false);
      listening = performance.now() - t0;
      if (s.target.session) c.session = await wire.initialize(c);
      const w = workloads.echo;
      const r = await c.request(wire.maker(w.method, w.params, c.session)(1000000));
      w.check(rpcOf(r));
      const first = performance.now() - t0;
      if (list) {
        const l = await c.request(wire.maker('tools/list', {}, c.session)(1000001));
        workloads.list.check(rpcOf(l), { tools });
      }
      c.close();
      return { listening, firstCall: first, firstList: performance.now() - t0 };
    } catch (e) {
      if (e.code !== 'ECONNREFUSED') throw e;
      await new Promise((r) => setTimeout(r, 4));
    }
  }
}

export const median = (a) => {
  const s = [...a].sort((x, y) => x - y);
  return s.length ? (s[(s.length - 1) >> 1] + s[s.length >> 1]) / 2 : NaN;
};
