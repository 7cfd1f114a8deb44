import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import { readFrontmatter, type FrontmatterReading } from '../../src/skills/frontmatter.js';

const read = (yaml: string, folder = 'pdf'): FrontmatterReading =>
  readFrontmatter(`---\n${yaml}\n---\nText\n`, folder, parseDocument);

const faultsOf = (reading: FrontmatterReading): readonly string[] => (reading.ok ? [] : reading.faults);

describe('the frontmatter of a skill', () => {
  it('is its YAML as JSON, whatever the author wrote', () => {
    const yaml = [
      'name: pdf',
      'description: >-',
      '  Fill forms,',
      '  and read them',
      'license: "MIT"',
      'allowed-tools: Read Bash(git:*)',
      'metadata: { version: "1.0", author: me }',
      'since: 2024-01-01',
      'answer: yes',
      'more: [1, 2.5, true, null, { a: b }]',
    ];
    expect(read(yaml.join('\n'))).toEqual({
      ok: true,
      frontmatter: {
        name: 'pdf',
        description: 'Fill forms, and read them',
        license: 'MIT',
        'allowed-tools': 'Read Bash(git:*)',
        metadata: { version: '1.0', author: 'me' },
        since: '2024-01-01',
        answer: 'yes',
        more: [1, 2.5, true, null, { a: 'b' }],
      },
    });
  });

  it.each([
    ['---\r\nname: pdf\r\ndescription: |-\r\n  one\r\n  two\r\n---\r\ntext', 'one\ntwo'],
    ['\uFEFF---\nname: pdf\ndescription: x\n---', 'x'],
    ['---\nname: pdf\ndescription: x\n--- \n---\n', 'x'],
  ])('is read from %j', (text, description) => {
    expect(readFrontmatter(text, 'pdf', parseDocument)).toEqual({
      ok: true,
      frontmatter: { name: 'pdf', description },
    });
  });

  it.each([
    '',
    '# pdf',
    'name: pdf\ndescription: x',
    '\n---\nname: pdf\n---\n',
    '---\nname: pdf\ndescription: x\n',
    '---\nname: pdf\ndescription: x\n----\n',
    '--- name: pdf\n---\n',
  ])('is missing in %j', (text) => {
    expect(faultsOf(readFrontmatter(text, 'pdf', parseDocument))).toEqual([
      'must begin with YAML between two lines of three hyphens',
    ]);
  });

  it.each([
    ['name: pdf\nname: again\ndescription: x', 'is not YAML: Map keys must be unique at line 3, column 1'],
    ['name: [pdf', /^is not YAML: /],
    ['name: pdf\n\tdescription: x', /^is not YAML: /],
    ['name: !secret pdf\ndescription: x', 'is not YAML: Unresolved tag: !secret at line 2, column 7'],
    ['name: *pdf\ndescription: x', /^is not YAML: /],
    ['? [a]\n: b\nname: pdf', /^is not YAML: /],
    ['- pdf', 'must begin with a map of YAML'],
    ['just words', 'must begin with a map of YAML'],
    ['# nothing', 'must begin with a map of YAML'],
    ['name: pdf\ndescription: x\nratio: .inf', 'ratio has no form in JSON: quote it'],
    ['name: pdf\ndescription: x\na: [{ b: .nan }]', 'a[0].b has no form in JSON: quote it'],
    ['name: pdf\ndescription: x\n__proto__: {}', '__proto__ is not a key that can be sent'],
  ])('is refused as YAML: %j', (yaml, fault) => {
    expect(faultsOf(read(yaml))).toEqual([
      typeof fault === 'string' ? fault : (expect.stringMatching(fault) as string),
    ]);
  });

  it.each([
    ['description: x', 'name must be 1 to 64 lowercase letters, digits and single hyphens between them'],
    ['name: 7\ndescription: x', 'name must be 1 to 64 lowercase letters, digits and single hyphens between them'],
    ['name: other\ndescription: x', 'name must be that of its folder, "pdf"'],
    ['name: pdf', 'description must be a text of 1 to 1024 characters'],
    ['name: pdf\ndescription: ""', 'description must be a text of 1 to 1024 characters'],
    ['name: pdf\ndescription: [x]', 'description must be a text of 1 to 1024 characters'],
    [`name: pdf\ndescription: ${'x'.repeat(1025)}`, 'description must be a text of 1 to 1024 characters'],
    ['name: pdf\ndescription: x\ncompatibility: ""', 'compatibility must be a text of 1 to 500 characters'],
    ['name: pdf\ndescription: x\nmetadata: words', 'metadata must be a map of texts'],
    ['name: pdf\ndescription: x\nmetadata: { version: 1.0 }', 'metadata.version must be a text: quote it'],
    [
      'name: pdf\ndescription: x\nmetadata: { io.modelcontextprotocol/x: "1" }',
      'metadata.io.modelcontextprotocol/x is reserved for MCP',
    ],
  ])('is refused by the rules of skills: %j', (yaml, fault) => {
    expect(faultsOf(read(yaml))).toEqual([fault]);
  });

  it.each(['a', 'a1', '7', 'a-b-c', 'x'.repeat(64)])('may have the name %s', (name) => {
    expect(read(`name: "${name}"\ndescription: x`, name).ok).toBe(true);
  });

  it.each(['', 'A', 'a--b', '-a', 'a-', 'a_b', 'a.b', 'é', 'a/b', '..', 'x'.repeat(65)])(
    'may not have the name %j',
    (name) => {
      expect(read(`name: ${JSON.stringify(name)}\ndescription: x`, name).ok).toBe(false);
    },
  );

  it('counts characters, not code units', () => {
    expect(read(`name: pdf\ndescription: ${'🙂'.repeat(1024)}`).ok).toBe(true);
  });

  it('tells of everything that is wrong at once', () => {
    expect(faultsOf(read('name: other\nmetadata: []'))).toHaveLength(3);
  });

  it('gives back what was written as YAML', () => {
    const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(text, value, (description, extra) => {
        const written = { name: 'pdf', description, extra: JSON.parse(JSON.stringify(extra)) as unknown };
        fc.pre(!JSON.stringify(extra).includes('__proto__'));
        // Keys are strings in JSON; quoted, they are in YAML too.
        const yaml = stringify(written, { defaultKeyType: 'QUOTE_DOUBLE', defaultStringType: 'QUOTE_DOUBLE' });
        expect(read(yaml.trimEnd())).toEqual({ ok: true, frontmatter: written });
      }),
      { numRuns: 200 },
    );
  });
});
