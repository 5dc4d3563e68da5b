import ts from 'typescript';

type Dictionary = { readonly [key: string]: string | Dictionary };

const places = /\{\{\w+\}\}/;
/** What tests put into a place: a name of at most two words, or a number. */
const inPlace = '\\S+(?: \\S+)?';
/** What finds something on a page by words, in any case. */
const finder = /\.getBy(?!TestId)\w+$/;
const findingOptions = new Set(['hasText', 'hasNotText']);

/**
 * Finds the texts of the console that a test spells, so that it would fail if they were reworded: whole texts, and two
 * or more words of one.
 */
export class SpelledTexts {
  readonly #texts: ReadonlySet<string>;
  readonly #lowered: ReadonlySet<string>;
  /** All of them, one a line. */
  readonly #joined: string;
  /** Any of those that have places and words beside them, with something in the places. */
  readonly #filled: RegExp;

  /** @param dictionary of the language that the tests expect */
  constructor(dictionary: Dictionary) {
    const texts = textsIn(dictionary);
    const split = texts.map((text) => text.split(places)).filter((parts) => parts.length > 1 && parts.some(hasWord));
    this.#texts = new Set(texts);
    this.#lowered = new Set(texts.map((text) => text.toLowerCase()));
    this.#joined = texts.join('\n').toLowerCase();
    this.#filled = new RegExp(`^(?:${split.map((parts) => parts.map(RegExp.escape).join(inPlace)).join('|')})$`);
  }

  /**
   * @param content TypeScript
   * @param path tells whether there are elements in it
   * @returns the words with their line: `12: Save`
   */
  in(content: string, path = 'test.ts'): string[] {
    const file = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node) => {
      if (isNotOfPage(node)) return;
      const words = wordsOf(node);
      if (words !== null && this.#has(words, isSought(node))) {
        found.push(`${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${words}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  }

  /** @param isSought finders ignore case; words in small letters elsewhere are values, such as `admin` */
  #has(words: string, isSought: boolean): boolean {
    if (!hasWord(words)) return false;
    const lowered = words.toLowerCase();
    if (isSought && this.#lowered.has(lowered)) return true;
    if (this.#texts.has(words) && /^\p{Lu}|\s/u.test(words)) return true;
    return this.#filled.test(words) || (/\p{L}\S*\s\S*\p{L}/u.test(words) && this.#joined.includes(lowered));
  }
}

function textsIn(dictionary: Dictionary): string[] {
  return Object.values(dictionary).flatMap((value) => (typeof value === 'string' ? [value] : textsIn(value)));
}

/** Imports, errors, titles of tests, and the types of message elements. */
function isNotOfPage(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isThrowStatement(node)) return true;
  const { parent } = node;
  if (parent !== undefined && ts.isPropertyAssignment(parent) && parent.name.getText() === 'type') return true;
  if (parent === undefined || !ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  return /^(test|it|describe)\b/.test(parent.expression.getText());
}

/** The words that are written down there; of a pattern those that it begins with. */
function wordsOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('0');
  }
  if (ts.isRegularExpressionLiteral(node)) return /^\/\^?([^\\/[(|.*+?$]*)/.exec(node.text)?.[1]?.trim() ?? null;
  return null;
}

/** Whether something on a page is found by it; the first argument of `getByRole` is no text. */
function isSought(node: ts.Node): boolean {
  let at = node;
  while (at.parent !== undefined && !(ts.isCallExpression(at.parent) && at.parent.expression !== at)) {
    at = at.parent;
    if (ts.isPropertyAssignment(at) && findingOptions.has(at.name.getText())) return true;
  }
  if (at.parent === undefined) return false;
  const callee = (at.parent as ts.CallExpression).expression.getText();
  return finder.test(callee) && !(at === node && callee.endsWith('Role'));
}

function hasWord(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}
