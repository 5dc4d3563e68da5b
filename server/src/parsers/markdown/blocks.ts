import type { ListItem, Nodes, Parents, PhrasingContent, Root, Table } from 'mdast';
import type { DraftBlock } from '../../kit/document-draft.ts';
import { htmlBlocks, htmlTree } from '../../kit/html-blocks.ts';

/** The readable text of a tree, in order. */
export function readBlocks(root: Root): DraftBlock[] {
  const blocks: DraftBlock[] = [];
  visit(root, blocks, 'paragraph');
  return blocks;
}

type TextType = 'paragraph' | 'list-item';

function visit(node: Nodes, blocks: DraftBlock[], type: TextType): void {
  switch (node.type) {
    case 'heading':
      blocks.push({ type: 'heading', level: node.depth, text: textOf(node) });
      return;
    case 'paragraph':
      blocks.push({ type, text: textOf(node) });
      return;
    case 'code':
      blocks.push({ type: 'code', text: node.value, ...languageOf(node.lang) });
      return;
    case 'table':
      blocks.push(tableOf(node));
      return;
    case 'html':
      htmlBlocks(htmlTree(node.value), (block) => blocks.push(block));
      return;
    case 'listItem':
      item(node, blocks);
      return;
    case 'footnoteDefinition':
    case 'blockquote':
    case 'list':
    case 'root':
      children(node, blocks, type);
      return;
    default:
      // Lines across the page, and addresses that links refer to.
      return;
  }
}

function children(node: Parents, blocks: DraftBlock[], type: TextType): void {
  for (const child of node.children) visit(child, blocks, type);
}

/** Its paragraphs belong together; lists, code and tables in it follow. */
function item(node: ListItem, blocks: DraftBlock[]): void {
  const lines: string[] = [];
  const inner: DraftBlock[] = [];
  for (const child of node.children) {
    if (child.type === 'paragraph' && inner.length === 0) lines.push(textOf(child));
    else visit(child, inner, 'list-item');
  }
  const mark = typeof node.checked === 'boolean' ? `[${node.checked ? 'x' : ' '}] ` : '';
  const text = lines.join('\n');
  if (text.trim() !== '') blocks.push({ type: 'list-item', text: `${mark}${text}` });
  for (const block of inner) blocks.push(block);
}

function tableOf({ children: rows }: Table): DraftBlock {
  const texts = rows.map((row) => row.children.map((cell) => textOf(cell)));
  const hasHead = texts[0]?.some((cell) => cell.trim() !== '') ?? false;
  return { type: 'table', head: hasHead, rows: hasHead ? texts : texts.slice(1) };
}

function textOf(node: { children: PhrasingContent[] }): string {
  return node.children.map(inlineText).join('');
}

function inlineText(node: PhrasingContent): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'break':
      return '\n';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'html':
      return /^<br\b/i.test(node.value) ? '\n' : '';
    case 'footnoteReference':
      return '';
    default:
      return textOf(node);
  }
}

/** The first word after the fence: `ts title="a.ts"`, `{.python}`. */
function languageOf(information: string | null | undefined): { language?: string } {
  const language = /^[{.]*([\w+#-]+)/.exec(information ?? '')?.[1]?.toLowerCase();
  return language === undefined ? {} : { language };
}
