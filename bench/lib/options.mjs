// The command line: --name value, and --name alone.
import { contestants, stdioContestants } from '../contestants.mjs';

const argv = process.argv.slice(2);

export function option(name, fallback) {
  const at = argv.indexOf(`--${name}`);
  return at < 0 ? fallback : argv[at + 1];
}

export const number = (name, fallback) => Number(option(name, fallback));
export const flag = (name) => argv.includes(`--${name}`);
export const list = (name) => (option(name, '') ?? '').split(',').filter(Boolean);

/** --add 'name=x;cmd=node server.js;url=http://127.0.0.1:{port}/mcp;session=0;era=2025-06-18;cwd=.': one more contestant. */
function added() {
  return argv.flatMap((word, at) => {
    if (word !== '--add') return [];
    const pairs = argv[at + 1].split(';').map((pair) => pair.split(/=(.*)/s).slice(0, 2));
    const { name, cmd, url, session, era, cwd } = Object.fromEntries(pairs);
    return [{ name, cmd: cmd.split(' '), url, session: session === '1', era: era || undefined, cwd, added: true }];
  });
}

/** What takes part: of the names those that --only says; without it those, but no peers with --ours, and what was added. */
export function pick(names, from = contestants) {
  const more = added();
  const all = { ...from, ...Object.fromEntries(more.map((entry) => [entry.name, entry])) };
  const only = list('only');
  const wanted = only.length > 0 ? only : [...names, ...more.map((entry) => entry.name)];
  const unknown = wanted.filter((name) => all[name] === undefined);
  if (unknown.length > 0) throw new Error(`no such contestant: ${unknown.join(', ')}`);
  return wanted.map((name) => all[name]).filter((entry) => only.length > 0 || !flag('ours') || !entry.peer);
}

export const pickStdio = () => pick(Object.keys(stdioContestants), stdioContestants);
