// One suite: node run.mjs http|steady|startup|memory|sessions|stdio [options]. README.md says what they measure.
//   --ours                  no peers
//   --only a,b              these contestants (contestants.mjs) alone
//   --add 'name=…;cmd=…'    one more contestant
//   --all                   the variants as well
//   --rounds 5, --round-ms 700, --scenarios echo-c32,… (http), --tools 2,200,2000 (startup), --n 1000 (sessions)
//   --ref NAME              what the ratios are to
//   --out NAME              out/NAME.json instead of out/<suite>.json
import { http } from './suites/http.mjs';
import { memory } from './suites/memory.mjs';
import { sessions } from './suites/sessions.mjs';
import { startup } from './suites/startup.mjs';
import { stdio } from './suites/stdio.mjs';
import { steady } from './suites/steady.mjs';

const suites = { http, steady, startup, memory, sessions, stdio };
const suite = suites[process.argv[2]];
if (suite === undefined) {
  console.error(`usage: node run.mjs ${Object.keys(suites).join('|')} [options], see the head of this file`);
  process.exit(2);
}
await suite();
process.exit(0);
