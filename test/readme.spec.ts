import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { membersOf, OPTION_SECTIONS, serverOptions } from './docs/declared-members.js';

const read = (file: string): string => readFileSync(file, 'utf8');
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync('docs').map((name) => join('docs', name)),
  ...readdirSync('sample').map((name) => join('sample', name, 'README.md')),
].filter((page) => page.endsWith('.md') && existsSync(page));

interface Fence {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** What the comment directly before it names. */
  readonly mark: string | undefined;
  readonly text: string;
}

function fencesOf(page: string): Fence[] {
  const lines = read(page).split('\n');
  const fences: Fence[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const opening = /^\s*(`{3,}|~{3,})\s*(\w*)/.exec(lines[at] ?? '');
    if (opening === null) continue;
    const [, ticks = '', language = ''] = opening;
    const end = lines.findIndex((line, index) => index > at && line.trim() === ticks);
    if (end === -1) throw new Error(`${page}:${at + 1} opens a fence that nothing closes`);
    const before = lines.slice(0, at).findLast((line) => line.trim() !== '');
    const mark = /^<!-- (\S+) -->$/.exec(before?.trim() ?? '')?.[1];
    fences.push({ page, line: at + 1, language, mark, text: lines.slice(at + 1, end).join('\n') });
    at = end;
  }
  return fences;
}

const trimmed = (text: string): string => `\n${text.replaceAll(/^[ \t]+|[ \t]+$/gm, '')}\n`;

/** Whole lines of the file, in its order; an excerpt may stand further left than in the file. */
function isExcerpt(text: string, file: string): boolean {
  return trimmed(read(file)).includes(trimmed(text));
}

const CODE = new Set(['ts', 'typescript', 'tsx', 'mts', 'cts']);

describe('the documents', () => {
  const fences = PAGES.flatMap(fencesOf);
  const code = fences.filter(({ language }) => CODE.has(language));

  it('show code', () => {
    expect(code.length).toBeGreaterThan(20);
  });

  it.each(code)('show at $page:$line what is written in $mark', ({ mark, text }) => {
    expect(mark, 'a comment before the fence names the file of a sample').toMatch(/^sample\/\S+\.ts$/);
    const file = mark ?? '';
    expect(existsSync(file), `${file} exists`).toBe(true);
    expect(isExcerpt(text, file), `this is not in ${file}:\n${text}`).toBe(true);
  });

  it('name the language of every block', () => {
    expect(fences.filter(({ language }) => language === '').map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it.each(PAGES)('link to files that exist: %s', (page) => {
    const targets = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !existsSync(join(dirname(page), target)))).toEqual([]);
  });

  it('draw the way of a request through files that exist', () => {
    const drawing = fences.find(({ page, text }) => page === 'README.md' && text.startsWith('POST /mcp'));
    const files = drawing?.text.match(/[\w./-]+\.ts\b/g) ?? [];
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((file) => !existsSync(join('src', file)))).toEqual([]);
  });
});

/** First column of the table under a heading of the README. */
function rowsUnder(heading: string): string[] {
  const lines = read('README.md').split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start === -1) throw new Error(`README.md has no heading "${heading}"`);
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line));
  return lines
    .slice(start + 1, length === -1 ? undefined : start + 1 + length)
    .flatMap((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? []);
}

describe('the tables of options', () => {
  it('name every option of a server, and no other', () => {
    expect(rowsUnder('Options of a server').sort()).toEqual(serverOptions().sort());
  });

  it('leave out no section: each interface of options is one that is looked into', () => {
    const looked = new Set([...Object.values(OPTION_SECTIONS), 'McpModuleOptions']);
    const hooks = new Set(['McpVisibility', 'McpRawBodyCheck', 'McpGate', 'McpOptionsFactory']);
    const interfaces = [...read('src/options/mcp-options.ts').matchAll(/^export interface (\w+)/gm)].map(
      ([, name = '']) => name,
    );
    expect(interfaces.filter((name) => !looked.has(name) && !hooks.has(name))).toEqual([]);
  });

  it.each([
    ['Beside the options', 'src/options/module-extras.ts', 'McpModuleExtras'],
    ['@McpTool', 'src/decorators/options.ts', 'McpToolOptions'],
    ['@McpResource', 'src/decorators/options.ts', 'McpResourceOptions'],
    ['@McpResourceTemplate', 'src/decorators/options.ts', 'McpResourceTemplateOptions'],
    ['@McpPrompt', 'src/decorators/options.ts', 'McpPromptOptions'],
    ['@McpCompletion', 'src/decorators/options.ts', 'McpCompletionOptions'],
    ['@McpArg', 'src/decorators/parameters.ts', 'McpArgOptions'],
    ['serveStdio', 'src/mcp.stdio.ts', 'ServeStdioOptions'],
  ])('name every option of %s, and no other', (heading, file, name) => {
    expect(rowsUnder(heading).sort()).toEqual(membersOf(file)(name).sort());
  });
});
