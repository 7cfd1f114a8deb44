// `npm run bench -- --quick [--json]`: the ratios that matter, in under a minute.
// `npm run bench -- SUITE [options]`: one suite of run.mjs (http, steady, startup, memory, sessions, stdio).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const run = (command, args, cwd) =>
  spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
const args = process.argv.slice(2);

if (!existsSync(here('../dist/index.js')) && run('npm', ['run', '-s', 'build'], here('..')) !== 0) process.exit(1);
if (args[0] === '--quick') process.exit(run(process.execPath, [here('quick.mjs'), ...args.slice(1)], here('.')));
if (!existsSync(here('peers/node_modules'))) {
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  if (run('npm', install, here('peers')) !== 0) process.exit(1);
}
process.exit(run(process.execPath, [here('run.mjs'), ...(args.length > 0 ? args : ['http'])], here('.')));
