import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

/** Members of an interface or class, those it inherits in its own file and those of every branch of a union included. */
export function membersOf(file: string): (name: string) => string[] {
  const path = resolve(file);
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const declared = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration>();
  for (const node of source.statements) {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) declared.set(node.name.text, node);
    else if (ts.isClassDeclaration(node) && node.name !== undefined) declared.set(node.name.text, node);
  }
  const ofType = (type: ts.TypeNode): string[] => {
    if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.flatMap(ofType);
    if (ts.isParenthesizedTypeNode(type)) return ofType(type.type);
    if (ts.isTypeLiteralNode(type)) return ofElements(type.members);
    return ts.isTypeReferenceNode(type) ? ofName(type.typeName.getText()) : [];
  };
  const ofElements = (elements: readonly (ts.TypeElement | ts.ClassElement)[]): string[] =>
    elements.flatMap((element) => (element.name === undefined ? [] : [element.name.getText()]));
  const ofName = (name: string): string[] => {
    const node = declared.get(name);
    if (node === undefined) return [];
    if (ts.isTypeAliasDeclaration(node)) return ofType(node.type);
    const parents = (node.heritageClauses ?? []).flatMap(({ types }) => types);
    return [...parents.flatMap(({ expression }) => ofName(expression.getText())), ...ofElements(node.members)];
  };
  return (name) => {
    const members = [...new Set(ofName(name))];
    if (members.length === 0) throw new Error(`${file} declares no ${name}`);
    return members;
  };
}

/** Options that hold options: the interface of each. */
export const OPTION_SECTIONS: Readonly<Record<string, string>> = {
  server: 'McpServerInfo',
  limits: 'McpLimits',
  pageSize: 'McpPageSizes',
  cache: 'McpCacheHints',
  sessions: 'McpSessionOptions',
  tasks: 'McpTaskOptions',
  skills: 'McpSkillOptions',
};

/** Every option of a server; those of a section by their path, e.g. `limits.bodyBytes`. */
export function serverOptions(): string[] {
  const members = membersOf('src/options/mcp-options.ts');
  return members('McpModuleOptions').flatMap((name) => {
    const section = OPTION_SECTIONS[name];
    return section === undefined ? [name] : [name, ...members(section).map((member) => `${name}.${member}`)];
  });
}
