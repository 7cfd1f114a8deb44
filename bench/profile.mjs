// CPU profile of the steady state of contestants: top self-time functions and self time by package.
//   node profile.mjs [--only a,b] [--workload echo|list|echo64k] [--tools 2] [--top 15]
import { contestants } from './contestants.mjs';
import { start, ready } from './lib/proc.mjs';
import { load, openAll } from './lib/load.mjs';
const opt = (k, d) => {
  const i = process.argv.indexOf('--' + k);
  return i < 0 ? d : process.argv[i + 1];
};
const workload = opt('workload', 'echo');
const tools = +opt('tools', 2);
for (const name of opt('only', 'nest-express,ours-express').split(',')) {
  const s = start(contestants[name], { tools });
  await ready(s);
  const pool = await openAll(s.target, 16);
  await load(s.target, pool, { workload, requests: +opt('warm', 4000), maxMs: 6000, tools });
  await s.stats({ prof: 'start' });
  const m = await load(s.target, pool, { workload, requests: +opt('n', 6000), maxMs: +opt('ms', 4000), tools });
  const { profile } = await s.stats({ prof: 'stop' });
  for (const c of pool.conns) c.close();
  await s.stop();
  const self = new Map();
  const pkg = new Map();
  const byId = new Map(profile.nodes.map((n) => [n.id, n]));
  let total = 0;
  profile.samples.forEach((id, i) => {
    const n = byId.get(id);
    const cf = n.callFrame;
    if (cf.functionName === '(idle)' || cf.functionName === '(program)') return;
    const dt = profile.timeDeltas[i];
    total += dt;
    const file = cf.url.replace(/^.*node_modules\//, '').replace(/^file:\/\/.*\/(servers|lib)\//, '$1/');
    const k = `${cf.functionName || '(anonymous)'}  ${file}${cf.lineNumber >= 0 ? ':' + (cf.lineNumber + 1) : ''}`;
    self.set(k, (self.get(k) ?? 0) + dt);
    const p =
      cf.functionName === '(garbage collector)'
        ? '(gc)'
        : (/node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(cf.url)?.[1] ??
          (cf.url.startsWith('node:')
            ? 'node:' +
              cf.url
                .slice(5)
                .split('/')[0]
                .replace('internal', 'internal/' + cf.url.split('/')[1])
            : cf.url
              ? 'bench'
              : '(native)'));
    pkg.set(p, (pkg.get(p) ?? 0) + dt);
  });
  const top = (map, n) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, n)
      .map(
        ([k, v]) =>
          `  ${((v / total) * 100).toFixed(1).padStart(5)} %  ${(v / m.n).toFixed(1).padStart(7)} us/req  ${k}`,
      )
      .join('\n');
  console.log(
    `## ${name}, ${workload}, ${tools} tools: ${m.n} requests, ${(total / m.n).toFixed(0)} us of samples per request\nby package\n${top(pkg, 14)}\nby function\n${top(self, +opt('top', 15))}\n`,
  );
}
process.exit(0);
