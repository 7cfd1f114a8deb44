import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileUriTemplate,
  type TemplateVariables,
  type UriTemplate,
} from '../../../src/protocol/uri-templates/uri-template.js';

function compiled(text: string): UriTemplate {
  const reading = compileUriTemplate(text);
  if (!reading.ok) throw new Error(reading.faults.join('; '));
  return reading.template;
}

const match = (template: string, uri: string): TemplateVariables | undefined => compiled(template).match(uri);

describe('matching a uri', () => {
  it.each([
    ['user://{id}', 'user://42', { id: '42' }],
    ['user://{id}', 'user://J%C3%BCrgen%20M', { id: 'Jürgen M' }],
    ['user://{id}', 'user://a%2Fb', { id: 'a/b' }],
    ['user://{id}', 'user://%2541', { id: '%41' }],
    ['test://template/{id}/data', 'test://template/123/data', { id: '123' }],
    ['n://{name}.txt', 'n://a.txt.txt', { name: 'a.txt' }],
    ['n://{a}.{b}', 'n://x.y.z', { a: 'x', b: 'y.z' }],
    ['n://{a}-{b}/{c}', 'n://x-y-z/w', { a: 'x', b: 'y-z', c: 'w' }],
    ['n://{a}-{b}/{c}', 'n://-a-b/w', { a: '-a', b: 'b', c: 'w' }],
    ['tree://{+path}', 'tree://a//b?c#d', { path: 'a//b?c#d' }],
    ['tree://{+path}/x/{+rest}', 'tree://a/x/b/x/c', { path: 'a', rest: 'b/x/c' }],
    ['m://{+a}x{b}y', 'm://1x2/3x4y', { a: '1x2/3', b: '4' }],
    ['f://host{/dir}{.ext}', 'f://host/a.b.c', { dir: 'a', ext: 'b.c' }],
    ['f://host{/dir*}', 'f://host/a/b%20c/d', { dir: ['a', 'b c', 'd'] }],
    ['f://host{/dir*}{/file}', 'f://host/a/b/c', { dir: ['a', 'b'], file: 'c' }],
    ['f://host{/dir*}/end', 'f://host/a/end/end', { dir: ['a', 'end'] }],
    ['q://s{?a,b}', 'q://s', {}],
    ['q://s{?a,b}', 'q://s?b=2&a=1%261', { a: '1&1', b: '2' }],
    ['q://s{?a,b}', 'q://s?a=', { a: '' }],
    ['q://s{?a*,b}', 'q://s?a=1&b=x&a=2', { a: ['1', '2'], b: 'x' }],
    ['q://s/{id}{?a}{&b}', 'q://s/7?b=1', { id: '7', b: '1' }],
    ['q://s?fixed=1{&a}', 'q://s?a=2&fixed=1', { a: '2' }],
    ['q://s?q={query}{&page}', 'q://s?page=2&q=x', { query: 'x', page: '2' }],
    ['q://s?q={query}&n={count}{&page}', 'q://s?n=5&q=x', { query: 'x', count: '5' }],
    ['q://s?q={query}', 'q://s?q=a%26b', { query: 'a&b' }],
    ['plain://x', 'plain://x', {}],
    ['p://{a.b}/{_c1}', 'p://1/2', { 'a.b': '1', _c1: '2' }],
  ])('%s reads %s', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  it.each([
    ['by-id://{id}', 'by-id://'],
    ['by-id://{id}', 'by-id://4/2'],
    ['by-id://{id}', 'by-id://4?x'],
    ['by-id://{id}', 'by-id://4#x'],
    ['by-id://{id}', 'BY-ID://4'],
    ['n://{name}.txt', 'n://notes-txt'],
    ['n://{name}.txt', 'n://.txt'],
    ['n://{a}/{b}', 'n://x/'],
    ['tree://{+path}', 'tree://'],
    ['f://host{/dir*}', 'f://host'],
    ['f://host{/dir*}', 'f://host/'],
    ['f://host{/dir*}', 'f://host/a//b'],
    ['f://host{/dir*}', 'f://host/a/'],
    ['f://host{/dir*}', 'f://host/a?b'],
    ['q://s{?a,b}', 'q://s?c=1'],
    ['q://s{?a,b}', 'q://s?a=1&a=2'],
    ['q://s{?a,b}', 'q://s?'],
    ['q://s{?a,b}', 'q://s?a=1&'],
    ['q://s{?a,b}', 'q://s?a=1#f'],
    ['q://s?fixed=1{&a}', 'q://s?a=2'],
    ['q://s?fixed=1{&a}', 'q://s?fixed=2'],
    ['q://s?q={query}{&page}', 'q://s?q='],
    ['q://s?q={query}', 'q://s?q=a&admin=1'],
    ['plain://x', 'plain://x/'],
  ])('%s does not read %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it.each([
    '%',
    '%zz',
    '%c3%28',
    '%ff',
    '%00',
    'a%00b',
    '.',
    '..',
    '%2e%2e',
    '%2E',
    '..%2Fetc',
    'a%2F..%2Fb',
    'a%5c..',
    '%2e%2e%5cb',
    'a%2f.',
  ])('is no match when a value is %s', (value) => {
    for (const template of [
      't://{v}',
      't://{+v}',
      't://h{/v}',
      't://h{/v*}',
      't://h{?v}',
      't://h{?v*}',
      't://h?x=1{&v}',
    ]) {
      const uri = template
        .replace(/\{\?v\*?\}/, `?v=${value}`)
        .replace('{&v}', `&v=${value}`)
        .replace(/\{\/v\*?\}/, `/${value}`)
        .replace(/\{\+?v\}/, value);
      expect(match(template, uri)).toBeUndefined();
    }
  });

  it('does not climb out of a path', () => {
    expect(match('tree://{+path}', 'tree://../../etc/passwd')).toBeUndefined();
    expect(match('tree://{+path}', 'tree://a/./b')).toBeUndefined();
    expect(match('f://h{/dir*}', 'f://h/a/../b')).toBeUndefined();
    expect(match('tree://{+path}', 'tree://a/..b/...')).toEqual({ path: 'a/..b/...' });
  });

  it('gives variables as own members, whatever their names', () => {
    const variables = match('p://{__proto__}', 'p://x');
    expect(Object.keys(variables ?? {})).toEqual(['__proto__']);
  });
});

describe('what is expanded', () => {
  it('is read back', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => !/(?:^|[/\\])\.\.?(?:$|[/\\])|\0/.test(text));
    const encoded = (text: string): string => encodeURIComponent(text);
    fc.assert(
      fc.property(
        value,
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.option(value),
        fc.array(value, { maxLength: 3 }),
        (id, dirs, q, tags) => {
          const pairs = [...(q === null ? [] : [`q=${encoded(q)}`]), ...tags.map((tag) => `tag=${encoded(tag)}`)];
          const uri = `s://h/${encoded(id)}/in/${dirs.map(encoded).join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
          expect(match('s://h/{id}/in{/dir*}{?q,tag*}', uri)).toEqual({
            id,
            dir: dirs,
            ...(q === null ? {} : { q }),
            ...(tags.length > 0 ? { tag: tags } : {}),
          });
        },
      ),
    );
  });
});

describe('matching any text', () => {
  /** The same language as a backtracking expression, run on short texts only. */
  const grammar: Record<string, string> = {
    segment: '([^/?#]+?)',
    any: '([^]+?)',
    segments: '([^/?#]+?(?:/[^/?#]+?)*?)',
  };
  const variable = fc.constantFrom('segment', 'any', 'segments');
  const literal = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), minLength: 1, maxLength: 2 });

  it('agrees with the obvious backtracking expression on whether there is a match', () => {
    const shape = fc.record({
      first: literal,
      rest: fc.array(fc.tuple(variable, literal), { minLength: 1, maxLength: 3 }),
      open: fc.boolean(),
    });
    fc.assert(
      fc.property(
        shape,
        fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', 'c'), maxLength: 10 }),
        ({ first, rest, open }, tail) => {
          let template = first;
          let expression = first.replaceAll('.', '\\.');
          for (const [at, [kind, text]] of rest.entries()) {
            const end = open && at === rest.length - 1 ? '' : text;
            const name = `v${at}`;
            template += (kind === 'segment' ? `{${name}}` : kind === 'any' ? `{+${name}}` : `{/${name}*}`) + end;
            expression += (kind === 'segments' ? '/' : '') + (grammar[kind] ?? '') + end.replaceAll('.', '\\.');
          }
          const uri = first + tail;
          const expected = new RegExp(`^${expression}$`).exec(uri);
          const found = match(template, uri);
          const values = expected?.slice(1) ?? [];
          if (expected === null || values.some((text) => /(?:^|\/)\.\.?(?:$|\/)/.test(text))) {
            expect(found).toBeUndefined();
            return;
          }
          expect(Object.values(found ?? {}).map((item) => (typeof item === 'string' ? item : item.join('/')))).toEqual(
            values,
          );
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('the cost of a match', () => {
  /** Counts what is asked of the text. */
  class Counted extends String {
    steps = 0;
    override charCodeAt(at: number): number {
      this.steps++;
      return super.charCodeAt(at);
    }
    override startsWith(text: string, at?: number): boolean {
      this.steps++;
      return super.startsWith(text, at);
    }
  }

  function stepsOf(template: UriTemplate, uri: string): number {
    const text = new Counted(uri);
    // The matcher asks a string for nothing that the counting one does not have.
    template.match(text as unknown as string);
    return text.steps;
  }

  it.each([
    ['t://{+a}x{+b}y{+c}z', 'xy'],
    ['t://{+a}x{b}y{+c}xy{d}z', 'x/y'],
    ['t:/{/a*}{/b*}{/c*}/z', 'a/'],
    ['t://{a}a{b}a{c}a{d}!', 'a'],
    ['t://h{/id*}', 'a,/'],
  ])('grows with the length of the uri alone: %s', (text, unit) => {
    const template = compiled(text);
    const perCharacter = [500, 1000, 20_000].map((count) => {
      const uri = `t://${unit.repeat(count)}`;
      return stepsOf(template, uri) / uri.length;
    });
    for (const cost of perCharacter) expect(cost).toBeLessThanOrEqual(4 * template.variables.length);
  });
});

describe('compiling a template', () => {
  it('lists its variables', () => {
    expect(compiled('q://s/{id}{/dir*}{?a,b*}{&c}').variables).toEqual(['id', 'dir', 'a', 'b', 'c']);
  });

  it.each([
    ['t://{#v}', '{#v}: the operator # is not supported'],
    ['t://{;v}', '{;v}: the operator ; is not supported'],
    ['t://{=v}', '{=v}: the operator = is not supported'],
    ['t://{v:3}', '{v:3}: prefixes are not supported'],
    ['t://{a,b}', '{a,b}: several variables are supported in queries only'],
    ['t://{/a,b}', '{/a,b}: several variables are supported in queries only'],
    ['t://{v*}', '{v*}: * is supported in {/name*}, {?name*} and {&name*} only'],
    ['t://{.v*}', '{.v*}: * is supported in {/name*}, {?name*} and {&name*} only'],
    ['t://{a}{b}', '{b} needs a literal between it and the variable before it'],
    ['t://{+a}{b}', '{b} needs a literal between it and the variable before it'],
    ['t://{}', '{} is not an expression of RFC 6570'],
    ['t://{a b}', '{a b} is not an expression of RFC 6570'],
    ['t://{a..b}', '{a..b} is not an expression of RFC 6570'],
    ['t://{?a,}', '{?a,} is not an expression of RFC 6570'],
    ['t://{a{b}', '{a{b} is not an expression of RFC 6570'],
    ['t://{a}/{a}', '{a} repeats the variable a'],
    ['t://{?a,a}', '{?a,a} repeats the variable a'],
    ['t://a}b', 'stray } at position 5'],
    ['t://a{b', 'stray { at position 5'],
    ['t://s{?a}/x', '{?a} must stand at the end, or before {&name} alone'],
    ['t://s{?a}{b}', '{?a} must stand at the end, or before {&name} alone'],
    ['t://s{?a}{?b}', '{?a} must stand at the end, or before {&name} alone'],
    ['t://s{&a}', '{&a} needs a ? before it: write {?…}'],
    ['t://s?x=1{?a}', '{?a} stands after a literal ?: write {&…}'],
    ['t://s?x={a}-{b}{&c}', '{&c} needs whole name=value pairs before it'],
    ['t://s?x={+a}{&c}', '{&c} needs whole name=value pairs before it'],
    ['t://s?c={x}{&c}', '{&c} repeats a parameter of the query before it'],
    ['t://s?x{&c}', '{&c} needs whole name=value pairs before it'],
  ])('refuses %s', (text, fault) => {
    expect(compileUriTemplate(text)).toEqual({ ok: false, faults: [fault] });
  });

  it('reports all faults together', () => {
    expect(compileUriTemplate('t://{#a}/{b,c}')).toMatchObject({
      faults: [/{#a}/, /{b,c}/].map((fault) => expect.stringMatching(fault) as string),
    });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', 'a', '?', '&', '=', '/', '+', ',', '*', ':', '.'), maxLength: 14 }),
        (text) => {
          const reading = compileUriTemplate(text);
          if (reading.ok) reading.template.match('a?a=a&b');
          else expect(reading.faults.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
