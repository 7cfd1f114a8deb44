import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testsOf, type DeclaredTest } from './test-titles.js';

interface Citation {
  readonly page: string;
  /** The heading it stands under. */
  readonly section: string;
  readonly file: string;
  readonly title: string;
}

/** What a test fills in when it runs stands as `…` in documents. */
function withGaps(title: string): string {
  return title.replaceAll(/%[sdifjoOc#]|\$\{[^}]*\}|\$[\w.]+/g, '…');
}

const sectionsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);

/** Lines like "- `test/protocol/catalog/cursor.spec.ts` › a cursor › has a fixed form". */
function citationsOf(page: string): Citation[] {
  let section = '';
  return readFileSync(page, 'utf8')
    .split('\n')
    .flatMap((line) => {
      section = /^## (.+)$/.exec(line)?.[1] ?? section;
      const [, file, title] = /^- `(test\/[^`]+)` › (.+)$/.exec(line) ?? [];
      // Prettier escapes what could be emphasis.
      return file === undefined || title === undefined
        ? []
        : [{ page, section, file, title: title.replaceAll('\\_', '_') }];
    });
}

const declared = new Map<string, ReadonlyMap<string, DeclaredTest>>();

function find(file: string, title: string): DeclaredTest | undefined {
  let tests = declared.get(file);
  if (tests === undefined) {
    tests = new Map(testsOf(file).map((test) => [withGaps(test.path.join(' › ')), test]));
    declared.set(file, tests);
  }
  return tests.get(title);
}

const pages = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));
const citations = pages.flatMap(citationsOf);

describe('what documents say of tests', () => {
  it('is true: each cited test is there', () => {
    const gone = citations.filter(({ file, title }) => !existsSync(file) || find(file, title) === undefined);
    expect(gone.map(({ page, file, title }) => `${page}: ${file} › ${title}`)).toEqual([]);
  });

  it('is held: no cited test is left out of a run', () => {
    const skipped = citations.filter(({ file, title }) => existsSync(file) && find(file, title)?.skipped === true);
    expect(skipped.map(({ file, title }) => `${file} › ${title}`)).toEqual([]);
  });

  it.each(['docs/threat-model.md', 'docs/will-not.md'])('holds every promise of %s', (page) => {
    const sections = sectionsOf(page);
    expect(sections.length).toBeGreaterThan(10);
    expect(sections.filter((name) => !citations.some((each) => each.page === page && each.section === name))).toEqual(
      [],
    );
  });

  it('names no test twice under one promise', () => {
    const keys = citations.map(({ page, section, file, title }) => [page, section, file, title].join('\n'));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

describe('the reading of tests', () => {
  const here = testsOf('test/docs/citations.spec.ts').map(({ path }) => path.join(' › '));

  it('finds this one', () => {
    expect(here).toContain('the reading of tests › finds this one');
  });

  it('fills no gaps', () => {
    expect(withGaps('is %s of ${COUNT} at $place.name, 5 %')).toBe('is … of … at …, 5 %');
    expect(here.map(withGaps)).toContain('what documents say of tests › holds every promise of …');
  });
});
