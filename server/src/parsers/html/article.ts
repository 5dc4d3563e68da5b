import { Readability } from '@mozilla/readability';
import type { Element, Nodes, Root } from 'hast';
import { parseHTML } from 'linkedom';
import { htmlTree } from '../../kit/html-blocks.ts';

/** A page with fewer characters is read as a whole, and so is one of which the article is a smaller part. */
const leastCharacters = 400;
const leastPart = 0.5;
/** Extracting the article from a larger page takes too long. */
const mostElements = 50_000;

const surroundings = new Set(['nav', 'aside', 'footer']);
const surroundingRoles = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search']);

/**
 * The article of a page that has menus and the like around its text.
 * @returns null when the page has nothing around its text, or when so little was found that it is not all of the text
 */
export function findArticle(page: Root, html: string): Root | null {
  if (!hasSurroundings(page)) return null;
  const whole = shownCharacters(page);
  if (whole < leastCharacters) return null;
  const content = readArticle(html);
  if (content === null) return null;
  const article = htmlTree(content);
  return shownCharacters(article) >= whole * leastPart ? article : null;
}

/** Takes the menus out of a page of which no article was found. */
export function withoutMenus<Node extends Nodes>(node: Node): Node {
  if (!('children' in node)) return node;
  const children = node.children
    .filter((child) => child.type !== 'element' || !(child.tagName === 'nav' || child.properties.role === 'navigation'))
    .map(withoutMenus);
  return { ...node, children };
}

function readArticle(html: string): string | null {
  try {
    const { document } = parseHTML(html);
    const options = { charThreshold: leastCharacters, maxElemsToParse: mostElements, keepClasses: true };
    return new Readability(document, options).parse()?.content ?? null;
  } catch {
    // Extraction fails on large or badly broken pages; the whole page can still be read.
    return null;
  }
}

function hasSurroundings(node: Nodes): boolean {
  if (node.type === 'element' && isSurrounding(node)) return true;
  return 'children' in node && node.children.some(hasSurroundings);
}

function isSurrounding({ tagName, properties }: Element): boolean {
  return surroundings.has(tagName) || surroundingRoles.has(String(properties.role));
}

/** Characters other than spaces that a reader sees outside of menus and the like. */
function shownCharacters(node: Nodes): number {
  if (node.type === 'text') return node.value.replace(/\s+/g, '').length;
  if (!('children' in node)) return 0;
  if (
    node.type === 'element' &&
    (isSurrounding(node) || ['head', 'script', 'style', 'template'].includes(node.tagName))
  )
    return 0;
  return node.children.reduce((sum, child) => sum + shownCharacters(child), 0);
}
