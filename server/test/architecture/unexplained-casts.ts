import ts from 'typescript';
import { descendants, parse } from './syntax.ts';

/**
 * The lines, from 1, with `as number` or `as string` and no comment that says why: on the line, alone on the line above,
 * or at the head of the file for all of its casts, as a line that starts with `//` and names the cast.
 */
export function unexplainedCasts(path: string, content: string): number[] {
  // Parsing takes long, and few files need it.
  if (!/\bas (number|string)\b/.test(content)) return [];
  const lines = content.split('\n');
  return [...descendants(parse(path, content))].filter(isCast).flatMap((cast) => {
    const name = cast.type.getText();
    const line = cast.getSourceFile().getLineAndCharacterOfPosition(cast.type.getStart()).line;
    const isExplained =
      /\/\/ /.test(lines[line] ?? '') ||
      /^\s*\/\/ /.test(lines[line - 1] ?? '') ||
      lines.some((text) => text.startsWith('// ') && text.includes(`\`as ${name}\``));
    return isExplained ? [] : [line + 1];
  });
}

function isCast(node: ts.Node): node is ts.AsExpression {
  if (!ts.isAsExpression(node)) return false;
  return node.type.kind === ts.SyntaxKind.NumberKeyword || node.type.kind === ts.SyntaxKind.StringKeyword;
}
