import ts from 'typescript';
import { descendants, lineOf, parse } from '../server/test/architecture/syntax.ts';

export { literalSpreads } from '../server/test/architecture/literal-spreads.ts';

/** Words that our vocabulary does without; see {@link wordLines}. */
export const words = [
  'somebody',
  'nobody',
  'anybody',
  'is told',
  'moment',
  'kept',
  'growing',
  'put down',
  'asked again',
  'anew',
  'held up',
] as const;

/** Functions with more lines than this are counted as long. */
const longestFunction = 100;

/**
 * The line, from 1, of each occurrence of a word: in any case, at the start of longer words, in parts of identifiers
 * (`lastMoment`, `is_told`), and over the end of a line.
 * @param word words of lower case letters with single spaces
 */
export function wordLines(word: string, content: string): number[] {
  const separate = content.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
  const pattern = new RegExp(`(?<![a-z])${word.replaceAll(' ', '[\\s_*/#-]+')}`, 'gi');
  return [...separate.matchAll(pattern)].map(({ index }) => separate.slice(0, index).split('\n').length);
}

/** The line, from 1, of each function with more than 100 lines. */
export function longFunctions(path: string, content: string): number[] {
  const source = parse(path, content);
  const lastLine = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
  return [...descendants(source)]
    .filter((node) => ts.isFunctionLike(node) && lastLine(node) - lineOf(node) + 1 > longestFunction)
    .map(lineOf);
}

/** The line, from 1, of each use of a variable above its declaration, which only a closure can do. */
export function usesBeforeDefinition(path: string, content: string): number[] {
  const source = parse(path, content);
  const checker = checkerOf(source);
  return [...descendants(source)].filter((node) => ts.isIdentifier(node) && isUsedEarly(node, checker)).map(lineOf);
}

function isUsedEarly(identifier: ts.Identifier, checker: ts.TypeChecker): boolean {
  const { parent } = identifier;
  const symbol = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(identifier);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || ts.isTypeQueryNode(parent)) return false;
  if (!ts.isVariableDeclaration(declaration) && !ts.isBindingElement(declaration)) return false;
  return identifier.getStart() < declaration.name.getStart();
}

/** Knows the names of one file, and nothing of what it imports. */
function checkerOf(source: ts.SourceFile): ts.TypeChecker {
  const options: ts.CompilerOptions = { noLib: true, noResolve: true, types: [] };
  const host: ts.CompilerHost = {
    fileExists: (name) => name === source.fileName,
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => '',
    getDefaultLibFileName: () => '',
    getNewLine: () => '\n',
    getSourceFile: (name) => (name === source.fileName ? source : undefined),
    readFile: () => undefined,
    useCaseSensitiveFileNames: () => true,
    writeFile: () => undefined,
  };
  return ts.createProgram([source.fileName], options, host).getTypeChecker();
}

/** Lines of a file, empty ones too. */
export function lineCount(content: string): number {
  return content.replace(/\n$/, '').split('\n').length;
}
