// `npm run load -- [name …] [--platform express|fastify]`: load and faults. Prints figures; exits with 1 when one of
// them breaks its bound. Each script has a server process of its own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { option } from '../lib/options.mjs';
import { bodies } from './bodies.mjs';
import { concurrent } from './concurrent.mjs';
import { drip } from './drip.mjs';
import { faults } from './faults.mjs';
import { held } from './held.mjs';
import { leaving } from './leaving.mjs';
import { sigterm } from './sigterm.mjs';
import { soak } from './soak.mjs';

const scripts = { concurrent, bodies, drip, leaving, faults, sigterm, held, soak };
const given = process.argv.slice(2);
const named = given.slice(0, given.findIndex((word) => word.startsWith('--')) >>> 0);
const unknown = named.filter((name) => scripts[name] === undefined);
if (unknown.length > 0) {
  console.error(`no such script: ${unknown.join(', ')}; there are ${Object.keys(scripts).join(', ')}`);
  process.exit(2);
}
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
if (!existsSync(here('../../dist/index.js'))) {
  const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: here('../..'), stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

console.log(`# ${option('platform', 'express')}, Node ${process.version}`);
const broken = [];
for (const name of named.length > 0 ? named : Object.keys(scripts)) {
  const failed = await scripts[name]().catch((error) => {
    console.log(`BROKEN ${error.stack}`);
    return ['the script'];
  });
  broken.push(...failed.map((figure) => `${name}: ${figure}`));
}
if (broken.length > 0) console.log(`\nBroken bounds:\n${broken.join('\n')}`);
process.exit(broken.length > 0 ? 1 : 0);
