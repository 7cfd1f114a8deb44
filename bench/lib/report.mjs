// Tables on stdout, every round in out/<suite>.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { option } from './options.mjs';
import { root } from './proc.mjs';

export const loadAverage = () => readFileSync('/proc/loadavg', 'latin1').split(' ').slice(0, 3).join(' ');

export const machine = {
  date: new Date().toISOString(),
  node: process.version,
  cpu: os.cpus()[0].model,
  cores: os.cpus().length,
  loadStart: loadAverage(),
};

export function save(suite, rows) {
  mkdirSync(`${root}out`, { recursive: true });
  const facts = { suite, ...machine, loadEnd: loadAverage(), rows };
  writeFileSync(`${root}out/${option('out', suite)}.json`, JSON.stringify(facts, null, 1));
}

export const fixed = (value, digits = 1) => (value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits));
export const megabytes = (bytes, digits = 0) => fixed(bytes / 1e6, digits);
export const kilobytes = (bytes, digits = 1) => fixed(bytes / 1024, digits);

export function table(title, head, rows) {
  console.log(`### ${title}; load ${loadAverage()}\n`);
  console.log(`| ${head.join(' | ')} |`);
  console.log(`|${head.map((_, column) => (column === 0 ? '---|' : '---:|')).join('')}`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  console.log();
}
