// Size of the package and what it asks of a host: bytes, dependencies, start-up, and the type-check of 200 tools.
//   node size.mjs [--rounds 3] [--no-startup]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { contestants } from './contestants.mjs';
import { flag, number } from './lib/options.mjs';
import { median, root } from './lib/proc.mjs';
import { fixed, machine, save, table } from './lib/report.mjs';
import { startups } from './suites/startup.mjs';

const project = new URL('..', import.meta.url).pathname;
const TOOLS = 200;

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: project, encoding: 'utf8', maxBuffer: 64e6, ...options });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.stderr || done.stdout}`);
  return done.stdout;
}

/** What npm would publish. */
function packed() {
  const printed = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']));
  const [{ size, unpackedSize, entryCount }] = Array.isArray(printed) ? printed : Object.values(printed);
  return { packed: size, unpacked: unpackedSize, files: entryCount };
}

/** Packages that an installation brings along, those of Nest itself left out: it is there already. */
function dependencies() {
  const { dependencies: direct } = JSON.parse(readFileSync(`${project}package.json`, 'utf8'));
  const { packages } = JSON.parse(readFileSync(`${project}package-lock.json`, 'utf8'));
  const all = new Set();
  const visit = (names, from) => {
    for (const name of names) {
      const nested = `${from}/node_modules/${name}`;
      const at = packages[nested] === undefined ? `node_modules/${name}` : nested;
      if (all.has(at) || packages[at] === undefined) continue;
      all.add(at);
      visit(Object.keys(packages[at].dependencies ?? {}), at);
    }
  };
  visit(Object.keys(direct), '');
  return { direct: Object.keys(direct).length, installed: all.size };
}

// A third with a zod schema, a third with a JSON Schema, a third by their own parameters: how hosts write them.
const TOOL = [
  (i) => `
  @McpTool({ description: 'Searches ${i}', input: z.object({ query: z.string().min(1), limit: z.number().int().optional(),
    sort: z.object({ field: z.enum(['created', 'updated']), order: z.enum(['asc', 'desc']).optional() }).optional() }) })
  search${i}({ query, limit }: { query: string; limit?: number | undefined }, context: McpContext): string {
    return query + String(limit) + context.method;
  }`,
  (i) => `
  @McpTool({ description: 'Reads ${i}', mode: 'read-only',
    input: { type: 'object', properties: { id: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } }, required: ['id'] } })
  read${i}({ id, tags }: { id: string; tags?: string[] }): object {
    return { id, tags };
  }`,
  (i) => `
  @McpTool({ description: 'Counts ${i}' })
  count${i}(@McpArg('place') place: string, @McpArg('days') days = ${i}): string {
    return place.repeat(days);
  }`,
];

function host(tools) {
  const classes = [];
  for (let from = 0; from < tools; from += 20) {
    const methods = Array.from({ length: Math.min(20, tools - from) }, (_, i) => TOOL[(from + i) % 3](from + i));
    classes.push(`@Injectable()\nexport class Tools${from} {${methods.join('\n')}\n}\n`);
  }
  return `import { Injectable } from '@nestjs/common';
import { McpArg, McpTool, type McpContext } from 'nestjs-mcp';
import * as z from 'zod';
${classes.join('\n')}`;
}

/** Seconds and memory of the compiler for a host with so many tools, by its own account. */
function typeCheck(tools) {
  const folder = `${project}build/size-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(`${folder}/host.ts`, host(tools));
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'ES2023', strict: true, skipLibCheck: true, noEmit: true, types: ['node'] },
      ...{ experimentalDecorators: true, emitDecoratorMetadata: true },
    };
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['host.ts'] }));
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const printed = run(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics']);
    const of = (name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(printed)?.[1]);
    return { tools, seconds: of('Total time'), check: of('Check time'), megabytes: of('Memory used') / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const rows = { ...packed(), ...dependencies(), typeCheck: [], startup: [] };
console.log(`Node ${machine.node}, ${machine.cores} cores, ${machine.cpu}\n`);
table(
  'the package',
  ['packed kB', 'unpacked kB', 'files', 'direct dependencies', 'packages installed'],
  [[fixed(rows.packed / 1024), fixed(rows.unpacked / 1024), rows.files, rows.direct, rows.installed]],
);
for (const tools of [1, TOOLS]) {
  const runs = Array.from({ length: number('rounds', 3) }, () => typeCheck(tools));
  const middle = (key) => median(runs.map((one) => one[key]));
  rows.typeCheck.push({
    tools,
    ...Object.fromEntries(['seconds', 'check', 'megabytes'].map((key) => [key, middle(key)])),
  });
}
table(
  'type-check of a host',
  ['tools', 'seconds', 'of which checking', 'compiler memory MB'],
  rows.typeCheck.map((row) => [row.tools, fixed(row.seconds, 2), fixed(row.check, 2), fixed(row.megabytes, 0)]),
);
if (!flag('no-startup')) {
  const two = [contestants['nest-express'], contestants['ours-express']];
  for (const tools of [2, TOOLS, 2000]) {
    const measured = await startups(two, { tools, rounds: number('rounds', 3) });
    const [bare, ours] = two.map(({ name }) => measured.get(name).map(({ listening }) => listening));
    const relative = median(ours.map((ms, i) => ms / bare[i]));
    rows.startup.push({ tools, bare: median(bare), ours: median(ours), relative });
  }
  table(
    'start-up to listening, Express',
    ['tools', 'bare Nest ms', 'ms', '÷ bare Nest'],
    rows.startup.map((row) => [row.tools, fixed(row.bare, 0), fixed(row.ours, 0), fixed(row.relative, 2)]),
  );
}
save('size', rows);
console.error(`every figure: ${root}out/size.json`);
process.exit(0);
