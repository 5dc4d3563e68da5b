import { toString as textInside } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkGfm);

type Node = ReturnType<typeof parser.parse>['children'][number];

/** The text of Markdown without its marks, one line for each paragraph, list item and table row. */
export function markdownText(markdown: string): string {
  return parser.parse(markdown).children.map(textOf).filter(Boolean).join('\n');
}

/** The start of Markdown as text in one line. @param longest characters */
export function markdownPreview(markdown: string, longest: number): string {
  // Marks take room, too.
  return markdownText(markdown.slice(0, 2 * longest))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest);
}

function textOf(node: Node): string {
  if (node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote') {
    return node.children.map(textOf).join('\n');
  }
  if (node.type === 'table') {
    return node.children.map((row) => row.children.map((cell) => textInside(cell)).join(', ')).join('\n');
  }
  return textInside(node);
}
