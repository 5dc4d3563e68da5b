import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import type { DraftBlock } from './document-draft.ts';
import { readHtmlTable } from './html-blocks-table.ts';

/**
 * Hidden, or not meant to be read. `rt` and `rp` are the pronunciation of a Japanese word, which would interrupt it.
 */
const omitted = new Set(
  (
    'head title script style template noscript svg math canvas audio video object embed iframe map input select ' +
    'textarea button datalist progress meter dialog rt rp'
  ).split(' '),
);

const blockElements = new Set(
  (
    'address article aside blockquote body caption center details dialog dd div dl dt fieldset figcaption figure ' +
    'footer form header hgroup hr html legend li main menu nav ol p search section summary tbody td tfoot th thead ' +
    'tr ul'
  ).split(' '),
);

/** The tree of a page or fragment. Scripts are not run. */
export function htmlTree(html: string): Root {
  return fromHtml(html, { fragment: false });
}

const voidElements = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/** As `htmlTree`, for pages written as XML, where every element may be closed within its own tag. */
export function xhtmlTree(xhtml: string): Root {
  return htmlTree(
    xhtml.replace(/<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi, (tag, name: string, rest: string) =>
      voidElements.has(name.toLowerCase()) ? tag : `<${name}${rest}></${name}>`,
    ),
  );
}

/** Tells `add` the readable text of a tree, in order. */
export function htmlBlocks(tree: Nodes, add: (block: DraftBlock) => void): void {
  new BlockReader(add).read(tree);
}

/** All text of a tree in one line. */
export function htmlText(tree: Nodes): string {
  return inlineText(tree).replace(/\s+/g, ' ');
}

/** The first element of the name, in the order of the text. */
export function findElement(tree: Nodes, tagName: string): Element | null {
  if (tree.type === 'element' && tree.tagName === tagName) return tree;
  if (!('children' in tree)) return null;
  for (const child of tree.children) {
    const found = findElement(child, tagName);
    if (found !== null) return found;
  }
  return null;
}

/** The block type of the collected text. */
type TextType = 'paragraph' | 'list-item';

class BlockReader {
  readonly #add: (block: DraftBlock) => void;
  #text = '';
  #type: TextType = 'paragraph';

  constructor(add: (block: DraftBlock) => void) {
    this.#add = add;
  }

  read(node: Nodes): void {
    this.#visit(node);
    this.#flush();
  }

  #visit(node: Nodes): void {
    if (node.type === 'text') this.#text += node.value.replace(/[ \t\n\r\f]+/g, ' ');
    else if (node.type === 'root') this.#children(node);
    else if (node.type === 'element' && !isHidden(node)) this.#element(node);
  }

  #children(node: Root | Element): void {
    for (const child of node.children) this.#visit(child);
  }

  #element(node: Element): void {
    const { tagName } = node;
    const level = /^h([1-6])$/.exec(tagName)?.[1];
    if (level !== undefined) {
      this.#flush();
      this.#add({ type: 'heading', level: Number(level), text: tidyInline(inlineText(node)) });
    } else if (tagName === 'br') this.#text += '\n';
    else if (tagName === 'img') this.#text += ` ${String(node.properties.alt ?? '')} `;
    else if (tagName === 'pre') this.#code(node);
    else if (tagName === 'table') this.#table(node);
    else if (tagName === 'li') this.#as('list-item', node);
    else if (tagName === 'dl') this.#terms(node);
    else if (blockElements.has(tagName)) this.#block(node);
    else this.#children(node);
  }

  /** A separate paragraph; within a list item, a separate line, so that the item stays whole. */
  #block(node: Element): void {
    const isPart = this.#type === 'list-item' && (node.tagName === 'p' || node.tagName === 'div');
    const apart = () => {
      if (isPart) this.#text += '\n';
      else this.#flush();
    };
    apart();
    this.#children(node);
    apart();
  }

  #as(type: TextType, node: Element): void {
    this.#flush();
    const outer = this.#type;
    this.#type = type;
    this.#children(node);
    this.#flush();
    this.#type = outer;
  }

  #code(node: Element): void {
    this.#flush();
    const language = languageOf(node) ?? node.children.map(languageOf).find((found) => found !== null) ?? null;
    this.#add({ type: 'code', text: rawText(node), ...(language === null ? {} : { language }) });
  }

  #table(node: Element): void {
    this.#flush();
    const table = readHtmlTable(node, (cell) => tidyInline(inlineText(cell)));
    const caption = node.children.find((child) => child.type === 'element' && child.tagName === 'caption');
    // Layout tables are read like the rest of the page.
    if (table === null) this.#as('paragraph', node);
    else {
      if (caption !== undefined) this.#add({ type: 'paragraph', text: tidyInline(inlineText(caption)) });
      this.#add({ type: 'table', ...table });
    }
  }

  /** Each definition together with its term. */
  #terms(list: Element): void {
    this.#flush();
    const outer = this.#type;
    this.#type = 'list-item';
    let last = '';
    const visit = (node: ElementContent) => {
      if (node.type !== 'element' || isHidden(node)) return;
      if (node.tagName === 'div') node.children.forEach(visit);
      if (node.tagName !== 'dt' && node.tagName !== 'dd') return;
      if (last !== 'dt') this.#flush();
      else this.#text = `${this.#text.trimEnd()}${node.tagName === 'dt' ? ', ' : ': '}`;
      this.#children(node);
      last = node.tagName;
    };
    list.children.forEach(visit);
    this.#flush();
    this.#type = outer;
  }

  #flush(): void {
    const text = tidyInline(this.#text);
    this.#text = '';
    if (text !== '') this.#add({ type: this.#type, text });
  }
}

/** Texts of lines in each other, a line each where there are blocks. */
function inlineText(node: Nodes): string {
  if (node.type === 'text') return node.value.replace(/[ \t\n\r\f]+/g, ' ');
  if (node.type === 'root') return node.children.map(inlineText).join('');
  if (node.type !== 'element' || isHidden(node)) return '';
  if (node.tagName === 'br') return '\n';
  if (node.tagName === 'img') return ` ${String(node.properties.alt ?? '')} `;
  const text = node.children.map(inlineText).join('');
  return blockElements.has(node.tagName) ? `\n${text}\n` : text;
}

/** With its own spaces and line breaks. */
function rawText(node: RootContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return '';
  return node.tagName === 'br' ? '\n' : node.children.map(rawText).join('');
}

/** Runs of spaces become one first: looking for them on both sides of a line break would take their length squared. */
function tidyInline(text: string): string {
  return text
    .replace(/[ \u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

function isHidden({ tagName, properties }: Element): boolean {
  if (omitted.has(tagName) || (properties.hidden !== undefined && properties.hidden !== false)) return true;
  if (properties.ariaHidden === 'true' || properties.role === 'doc-backlink') return true;
  return (
    typeof properties.style === 'string' &&
    /(?:^|[\s;])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(properties.style)
  );
}

/** The language, as common syntax highlighters mark it. */
function languageOf(node: ElementContent): string | null {
  if (node.type !== 'element') return null;
  const names = node.properties.className;
  for (const name of Array.isArray(names) ? names : []) {
    const language = /^(?:language|lang|highlight-source|brush:)-?([\w+#-]+)$/.exec(String(name))?.[1];
    if (language !== undefined) return language.toLowerCase();
  }
  // Pandoc uses the language without a prefix, next to a class that marks source code.
  if (Array.isArray(names) && names[0] === 'sourceCode' && names.length > 1) return String(names[1]).toLowerCase();
  return null;
}
