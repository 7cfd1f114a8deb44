import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

interface Source {
  readonly file: string;
  readonly tree: ts.SourceFile;
}

const sources: readonly Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
  .map((name) => {
    const file = join('src', name);
    return { file, tree: ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true) };
  });

/** What is imported as a value: `module name`, and where. */
function imported(): { readonly module: string; readonly name: string; readonly file: string }[] {
  return sources.flatMap(({ file, tree }) =>
    tree.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
      const clause = statement.importClause;
      const module = (statement.moduleSpecifier as ts.StringLiteral).text;
      if (clause === undefined) return [{ module, name: '', file }];
      if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
      const bindings = clause.namedBindings;
      const names =
        bindings !== undefined && ts.isNamedImports(bindings)
          ? bindings.elements
              .filter(({ isTypeOnly }) => !isTypeOnly)
              .map(({ name, propertyName }) => (propertyName ?? name).text)
          : ['*'];
      return names.map((name) => ({ module, name, file }));
    }),
  );
}

/** Files that use a name of the language or of Node, as a value and by itself. */
function users(...wanted: string[]): string[] {
  const found = new Set<string>();
  for (const { file, tree } of sources) {
    const visit = (node: ts.Node): void => {
      const expression = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression : undefined;
      if (expression !== undefined && wanted.includes(expression.getText())) found.add(file);
      if (ts.isPropertyAccessExpression(node) && wanted.includes(node.getText())) found.add(file);
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return [...found];
}

const from = (...modules: string[]) => imported().filter(({ module }) => modules.includes(module));

describe('the source', () => {
  it('connects to nobody', () => {
    const network = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns'].flatMap((name) => [`node:${name}`, name]);
    // To tell an address from a name is no connection.
    expect(from(...network).filter(({ name }) => name !== 'isIPv6')).toEqual([]);
    expect(users('fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest')).toEqual([]);
  });

  it('starts no process and no thread, and evaluates no text', () => {
    expect(from('node:child_process', 'node:worker_threads', 'node:cluster', 'node:vm')).toEqual([]);
    expect(users('eval', 'Function')).toEqual([]);
  });

  it('reads files of skills alone, and writes none', () => {
    const files = from('node:fs', 'node:fs/promises');
    expect(files.filter(({ file }) => !file.startsWith('src/skills/'))).toEqual([]);
    expect(
      files.map(({ name }) => name).filter((name) => !/^(read|open|stat|lstat|realpath|constants)/.test(name)),
    ).toEqual([]);
  });

  it('encrypts what travels between the rounds of a call, and nothing else; it signs nothing', () => {
    const harmless = ['createHash', 'randomBytes', 'randomUUID', 'randomFillSync', 'timingSafeEqual'];
    const keyed = from('node:crypto').filter(({ name }) => !harmless.includes(name));
    expect([...new Set(keyed.map(({ file }) => file))].sort()).toEqual([
      'src/session/key-ring.ts',
      'src/session/sealed-state.ts',
    ]);
    expect(keyed.map(({ name }) => name).filter((name) => /sign|verify|hmac/i.test(name))).toEqual([]);
  });

  it('knows no library of tokens', () => {
    expect(
      [...new Set(imported().map(({ module }) => module))].filter((module) =>
        /jose|jwt|jsonwebtoken|oauth|passport/i.test(module),
      ),
    ).toEqual([]);
  });

  it('reads no environment, and ends no process but one that it serves over stdio', () => {
    expect(users('process.env')).toEqual([]);
    expect(users('process.exit', 'process.abort', 'process.kill')).toEqual(['src/stdio.ts']);
  });

  it('declares no tool, resource or prompt of its own', () => {
    const decorators = ['McpTool', 'McpResource', 'McpResourceTemplate', 'McpPrompt', 'McpCompletion'];
    const decorated: string[] = [];
    for (const { file, tree } of sources) {
      const visit = (node: ts.Node): void => {
        if (ts.isDecorator(node) && ts.isCallExpression(node.expression)) {
          if (decorators.includes(node.expression.expression.getText())) decorated.push(file);
        }
        ts.forEachChild(node, visit);
      };
      visit(tree);
    }
    expect(decorated).toEqual([]);
  });
});
