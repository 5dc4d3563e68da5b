import ts from 'typescript';
import { descendants, lineOf, parse } from './syntax.ts';

/**
 * The lines, from 1, where a file spreads an object literal: `{ ...{ a, b } }`, with or without a type asserted, and
 * `<Form {...{ a, b }} />`. Excess properties are not checked there. Spreads of conditions and variables are fine.
 */
export function literalSpreads(path: string, content: string): number[] {
  // Parsing takes long, and few files need it.
  if (!/\.\.\.\s*[({</]/.test(content)) return [];
  return [...descendants(parse(path, content))].filter(spreadsLiteral).map(lineOf);
}

function spreadsLiteral(node: ts.Node): boolean {
  if (!ts.isSpreadAssignment(node) && !ts.isJsxSpreadAttribute(node)) return false;
  return ts.isObjectLiteralExpression(withoutAssertions(node.expression));
}

function withoutAssertions(expression: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(expression) ||
    ts.isAssertionExpression(expression) ||
    ts.isSatisfiesExpression(expression);
  return isWrapped ? withoutAssertions(expression.expression) : expression;
}
