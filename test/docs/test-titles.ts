import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A test as its file declares it. */
export interface DeclaredTest {
  /** The titles of its `describe` blocks, from outside inwards, then its own, as written. */
  readonly path: readonly string[];
  /** Whether it, or a block around it, is left out (`skip`, `todo`, `skipIf`, `runIf`). */
  readonly skipped: boolean;
}

const LEFT_OUT = new Set(['skip', 'todo', 'skipIf', 'runIf', 'fails']);

/** The words of a callee: `it.skip.each(…)` is `it`, `skip`, `each`. */
function wordsOf(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...wordsOf(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee)) return wordsOf(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return wordsOf(callee.tag);
  return [];
}

/** A title as written, without its quotes; placeholders of `each` and of templates stay as they are. */
function titleOf(argument: ts.Expression | undefined): string | undefined {
  if (argument === undefined) return undefined;
  if (ts.isStringLiteralLike(argument)) return argument.text;
  return ts.isTemplateExpression(argument) ? argument.getText().slice(1, -1) : undefined;
}

/** Every test that a file declares, with the blocks around it. */
export function testsOf(file: string): DeclaredTest[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const tests: DeclaredTest[] = [];
  const visit = (node: ts.Node, around: readonly string[], skipped: boolean): void => {
    if (ts.isCallExpression(node)) {
      const [word = '', ...modifiers] = wordsOf(node.expression);
      const title = titleOf(node.arguments[0]);
      if (title !== undefined && ['describe', 'it', 'test'].includes(word)) {
        const path = [...around, title];
        const leftOut = skipped || modifiers.some((modifier) => LEFT_OUT.has(modifier));
        if (word !== 'describe') tests.push({ path, skipped: leftOut });
        else for (const argument of node.arguments.slice(1)) visit(argument, path, leftOut);
        return;
      }
    }
    ts.forEachChild(node, (child) => visit(child, around, skipped));
  };
  visit(source, [], false);
  return tests;
}
