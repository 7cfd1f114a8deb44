// `npm run fuzz -- [--seconds 60] [--seed N] [--runs 100000]`: hostile input over HTTP and stdio, for so long, or so many
// runs of each, whichever comes first. A failure is shrunk and printed with what repeats it.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    runs: { type: 'string', default: '100000' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d+$/.test(value)) {
    console.error(`--${name} must be a whole number`);
    process.exit(2);
  }
}
console.log(`seed ${values.seed}, ${values.seconds} s`);
const env = { ...process.env, FUZZ_SECONDS: values.seconds, FUZZ_SEED: values.seed, FUZZ_RUNS: values.runs };
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'fuzz'], { env, stdio: 'inherit' });
process.exit(status ?? 1);
