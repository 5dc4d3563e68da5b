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

function textOf(node: Node): string {
  if (node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote') {
    return node.children.map(textOf).join('\n');
  }
  if (node.type === 'table') {
    return node.children.map((row) => row.children.map((cell) => textInside(cell)).join(', ')).join('\n');
  }
  return textInside(node);
}
