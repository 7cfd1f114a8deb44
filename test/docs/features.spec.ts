import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as entry from '../../src/index.js';
import * as standalone from '../../src/server.js';
import * as testing from '../../src/testing/mcp-testing.js';
import { membersOf, serverOptions } from './declared-members.js';
import { testsOf } from './test-titles.js';

const read = (file: string): string => readFileSync(file, 'utf8');

interface Row {
  readonly number: number;
  readonly feature: string;
  readonly by: string;
  readonly files: readonly string[];
}

/** What stands in code quotes. */
const wordsIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

/** The rows of tables whose first column is a number. */
function rowsOf(page: string): Row[] {
  return read(page)
    .split('\n')
    .filter((line) => /^\| \d+ +\|/.test(line))
    .map((line) => {
      const [number = '', feature = '', by = '', tests = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return {
        number: Number(number),
        feature,
        by,
        files: wordsIn(tests),
      };
    });
}

const manifest = JSON.parse(read('package.json')) as {
  exports: Readonly<Record<string, string | { readonly default: string }>>;
  scripts: object;
};
const sources = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')],
);

/** Every name that a file exports, types included. */
function exportedNames(file: string): string[] {
  const text = read(file);
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  const declared = [...text.matchAll(/^export (?:async function|const|class) (\w+)/gm)].map(([, name = '']) => name);
  return [...listed.map((name) => name.replace(/^\s*(?:type )?(?:.* as )?/, '').trim()), ...declared].filter(Boolean);
}

const exported = new Set(sources.flatMap(exportedNames));
const values = new Map<string, unknown>(Object.entries({ ...entry, ...standalone, ...testing }));

const decorated = membersOf('src/decorators/options.ts');
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  McpTool: decorated('McpToolOptions'),
  McpResource: decorated('McpResourceOptions'),
  McpResourceTemplate: decorated('McpResourceTemplateOptions'),
  McpPrompt: decorated('McpPromptOptions'),
  McpCompletion: decorated('McpCompletionOptions'),
  McpArg: membersOf('src/decorators/parameters.ts')('McpArgOptions'),
  serveStdio: membersOf('src/mcp.stdio.ts')('ServeStdioOptions'),
};
const options = new Set([...serverOptions(), ...membersOf('src/options/module-extras.ts')('McpModuleExtras')]);
const contextMembers = new Set(membersOf('src/protocol/context.ts')('McpContext'));

/** The options between the braces of `@McpTool({ name, title })`. */
const inBraces = (word: string): string[] => (/\(\{ (.*) \}\)$/.exec(word)?.[1] ?? '').split(', ').filter(Boolean);

function hasMember(name: string, member: string): boolean {
  const value = values.get(name);
  if (typeof value === 'object' && value !== null) return member in value;
  return typeof value === 'function' && (member in value || member in (value.prototype as object));
}

/** Whether what a document names in code is there. */
function exists(word: string): boolean {
  if (word.startsWith('npm run ')) return word.slice('npm run '.length) in manifest.scripts;
  if (word.startsWith('nestjs-mcp/')) return word.replace('nestjs-mcp', '.') in manifest.exports;
  const [, name = '', call = '', member] = /^@?(\w+)(\(.*\))?(?:\.(\w+))?$/.exec(word) ?? [];
  if (word.startsWith('context.')) return contextMembers.has(member ?? '');
  if (options.has(word)) return true;
  if (!exported.has(name)) return false;
  if (member !== undefined) return hasMember(name, member);
  return call === '' || (inBraces(word).length > 0 && inBraces(word).every((each) => OPTIONS[name]?.includes(each)));
}

const rows = rowsOf('docs/features.md');
const missing = rowsOf('docs/differences.md');
const named = rows.flatMap(({ by }) => wordsIn(by));

describe('the table of features', () => {
  it('has each number once, here or among the differences', () => {
    const numbers = [...rows, ...missing].map(({ number }) => number).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    expect(rows.length).toBeGreaterThan(100);
  });

  it('says of each what brings it, and that exists', () => {
    const silent = rows.filter(({ by }) => by !== 'always' && !by.startsWith('[') && wordsIn(by).length === 0);
    expect(silent).toEqual([]);
    expect(
      rows.flatMap(({ number, by }) => wordsIn(by).flatMap((word) => (exists(word) ? [] : [`${number}: ${word}`]))),
    ).toEqual([]);
  });

  it('names tests of each, and they run', () => {
    expect(rows.filter(({ files }) => files.length === 0)).toEqual([]);
    const files = [...new Set(rows.flatMap((row) => row.files))];
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const specs = files.filter((file) => file.endsWith('spec.ts') && existsSync(file));
    expect(specs.filter((file) => testsOf(file).every(({ skipped }) => skipped))).toEqual([]);
  });

  it('knows what does not exist', () => {
    const wrong = [
      '@McpTol',
      '@McpTool({ nam })',
      'McpCatalog.ad',
      'limits.body',
      'context.sing',
      'nestjs-mcp/x',
      'npm run x',
    ];
    expect(wrong.filter(exists)).toEqual([]);
  });

  it('leaves out no option', () => {
    expect(
      [...options].filter((option) => !named.some((word) => word === option || word.startsWith(`${option}.`))),
    ).toEqual([]);
  });

  it.each(Object.entries(OPTIONS))('leaves out no option of %s', (name, members) => {
    const said = named.filter((word) => word.replace('@', '').startsWith(`${name}(`)).flatMap(inBraces);
    expect(members.filter((member) => !said.includes(member))).toEqual([]);
  });

  it('leaves out nothing that can be imported and called', () => {
    const words = new Set(named.map((word) => /^@?(\w+)/.exec(word)?.[1]));
    expect([...values.keys(), 'serveStdio'].filter((name) => !words.has(name))).toEqual([]);
  });
});
