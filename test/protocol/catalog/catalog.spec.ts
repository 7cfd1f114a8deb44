import { describe, expect, it } from 'vitest';
import { Catalog, CatalogFault } from '../../../src/protocol/catalog/catalog.js';
import type {
  CompletionDefinition,
  Definition,
  PromptDefinition,
  ResourceDefinition,
  TemplateDefinition,
} from '../../../src/protocol/catalog/entries.js';
import { anyArguments, tool } from '../core-fixture.js';

const handler = (): string => 'x';

function resource(uri: string, source = 'R.read'): ResourceDefinition {
  return { kind: 'resource', uri, name: 'r', source, handler };
}

function template(uriTemplate: string, source = 'R.template'): TemplateDefinition {
  return { kind: 'template', uriTemplate, name: 't', source, handler };
}

function prompt(name: string, args: readonly string[] = [], source = 'P.prompt'): PromptDefinition {
  const named = args.map((each) => ({ name: each, required: false }));
  return { kind: 'prompt', name, source, arguments: named, input: anyArguments, handler };
}

function completion(ref: CompletionDefinition['ref'], argument: string): CompletionDefinition {
  return { kind: 'completion', source: 'C.complete', ref, argument, handler };
}

function annotated(properties: Record<string, object>): Definition {
  return tool('t', handler, { input: { ...anyArguments, wire: { type: 'object', properties } } });
}

const faultsOf = (...definitions: Definition[]): string[] =>
  Catalog.build(definitions).faults.map(({ source, message }) => `${source}: ${message}`);

describe('a catalog is not made', () => {
  it.each<[string, Definition[], string]>([
    ['of two tools of one name', [tool('a', handler), tool('a', handler)], 'Tools.a: tool "a" is already declared by'],
    ['of two resources of one uri', [resource('x://a'), resource('x://a')], 'R.read: resource "x://a" is already'],
    ['of two templates of one text', [template('x://{a}'), template('x://{a}')], 'template "x://{a}" is already'],
    ['of two prompts of one name', [prompt('p'), prompt('p')], 'prompt "p" is already declared by P.prompt'],
    [
      'of two completions of one argument',
      [
        prompt('p', ['a']),
        completion({ type: 'ref/prompt', name: 'p' }, 'a'),
        completion({ type: 'ref/prompt', name: 'p' }, 'a'),
      ],
      'is already declared by C.complete',
    ],
    ['of a tool with an empty name', [tool('', handler)], 'tool name "" must be 1 to 128 of'],
    ['of a tool with a space in its name', [tool('a b', handler)], 'tool name "a b" must be 1 to 128 of'],
    ['of a tool with a long name', [tool('a'.repeat(129), handler)], 'must be 1 to 128 of'],
    ['of a prompt with an empty name', [prompt('')], 'prompt name "" must not be empty'],
    ['of a prompt with a control character', [prompt('a\n')], 'must not be empty or hold control characters'],
    ['of a prompt that declares an argument twice', [prompt('p', ['a', 'a'])], 'declares argument "a" twice'],
    ['of a resource without a scheme', [resource('notes')], 'resource uri "notes" must start with a scheme'],
    ['of a template that cannot be matched', [template('x://{#a}')], 'template "x://{#a}": '],
    ['of a template with a stray brace', [template('x://a}')], 'template "x://a}": '],
    [
      'of a completion for a prompt that does not exist',
      [completion({ type: 'ref/prompt', name: 'p' }, 'a')],
      'C.complete: completes prompt "p", which does not exist',
    ],
    [
      'of a completion for an argument that does not exist',
      [prompt('p', ['a']), completion({ type: 'ref/prompt', name: 'p' }, 'b')],
      'completes argument "b", which prompt "p" does not have',
    ],
    [
      'of a completion for a template that does not exist',
      [completion({ type: 'ref/resource', uri: 'x://{a}' }, 'a')],
      'completes template "x://{a}", which does not exist',
    ],
    [
      'of a completion for a variable that does not exist',
      [template('x://{a}'), completion({ type: 'ref/resource', uri: 'x://{a}' }, 'b')],
      'completes variable "b", which template "x://{a}" does not have',
    ],
    [
      'of a header for a number that is no integer',
      [annotated({ n: { type: 'number', 'x-mcp-header': 'N' } })],
      'Tools.t: tool "t": ',
    ],
    [
      'of two headers that differ in case alone',
      [annotated({ a: { type: 'string', 'x-mcp-header': 'Region' }, b: { type: 'string', 'x-mcp-header': 'region' } })],
      'Tools.t: tool "t": ',
    ],
  ])('%s', (_what, definitions, fault) => {
    const faults = faultsOf(...definitions);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });

  it('and all that is wrong is reported together', () => {
    const faults = faultsOf(tool('a b', handler), resource('x'), template('{'), prompt(''), tool('a b', handler));
    expect(faults.map((fault) => fault.replace(/:.*/, ''))).toEqual(
      expect.arrayContaining(['Tools.a b', 'R.read', 'R.template', 'P.prompt']),
    );
    expect(faults.length).toBeGreaterThanOrEqual(5);
  });
});

describe('a catalog', () => {
  it('may be empty, and may name a uri like a template', () => {
    expect(faultsOf()).toEqual([]);
    expect(faultsOf(resource('x://{a}'), template('x://{a}'))).toEqual([]);
  });

  it('warns of names that some clients refuse', () => {
    const { catalog, warnings } = Catalog.build([
      tool('a.b', handler),
      tool('x'.repeat(65), handler),
      tool('ok', handler),
    ]);
    expect(catalog).toBeDefined();
    expect(warnings.map(({ source }) => source)).toEqual(['Tools.a.b', `Tools.${'x'.repeat(65)}`]);
  });

  it('is replaced as a whole or not at all, and keeps the entries that stay', () => {
    const [a, b] = [tool('a', handler), tool('b', handler)];
    const { catalog } = Catalog.build([a]);
    if (catalog === undefined) throw new Error('it has no fault');
    const before = catalog.current;
    expect(() => catalog.replace([a, tool('b c', handler)])).toThrow(CatalogFault);
    expect(catalog.current).toBe(before);
    catalog.replace([b, a]);
    expect(catalog.current.sections.tool.entries.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(catalog.current.sections.tool.find('a')).toBe(before.sections.tool.find('a'));
    expect(before.sections.tool.find('b')).toBeUndefined();
  });
});
