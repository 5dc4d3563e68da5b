import type { MessageEntity } from 'grammy/types';
import type { MarkdownIt, Token } from 'markdown-it';
import { alignedTable } from '../../kit/markdown/aligned-table.ts';
import { deepestNesting, loadMarkdownReader } from '../../kit/markdown/markdown-reader.ts';
import { type FormattedText, maximumTextLength, plainText } from './formatted-text.ts';

/** A longer text is shown as it is written. */
const longestMarkdown = 100_000;
const styles = { strong: 'bold', em: 'italic', s: 'strikethrough' } as const;
const quotations: Record<string, Quotation> = { blockquote: 'blockquote', thoughts: 'expandable_blockquote' };

type Quotation = 'blockquote' | 'expandable_blockquote';
interface Opened {
  mark: Mark;
  start: number;
}
type Mark = { type: 'bold' | 'italic' | 'strikethrough' | Quotation } | { type: 'text_link'; url: string };

let reader: Promise<MarkdownIt> | undefined;

/**
 * Renders Markdown of models with the formatting of Telegram: headings are bold, tables are aligned in a code block,
 * thoughts (`<think>`) are collapsed. Also for incomplete streamed texts: unclosed marks are shown as written, except
 * code, which is code from its first line on.
 */
export async function formatMarkdown(markdown: string): Promise<FormattedText> {
  if (markdown.length > longestMarkdown) return plainText(markdown);
  reader ??= loadMarkdownReader(['http', 'https', 'tg', 'mailto']);
  const tokens = (await reader).parse(markdown, {});
  // Deeper nesting was dropped.
  if (tokens.some(({ level }) => level >= deepestNesting - 1)) return plainText(markdown);
  const { text, entities } = new Translation(markdown).translate(tokens);
  // A text of only marks (`#` or `*`, say) is shown rather than an empty message.
  if (/^[\s•]*$/.test(text)) return plainText(markdown);
  // More text may precede and follow this one, so the space between them stays.
  const before = /^[ \t\r\n]*/.exec(markdown)?.[0] ?? '';
  const start = tokens[0]?.type === 'paragraph_open' ? before : before.slice(0, before.lastIndexOf('\n') + 1);
  const moved = entities.map((entity) => ({ ...entity, offset: entity.offset + start.length }));
  return { text: start + text + markdown.slice(markdown.trimEnd().length), entities: moved };
}

/** Converts parsed tokens into a text and its entities. */
class Translation {
  readonly #lines: readonly string[];
  readonly #entities: MessageEntity[] = [];
  #text = '';
  /** Open marks, the innermost last; null for tokens without formatting. */
  readonly #open: (Opened | null)[] = [];
  /** Those of them that show: at most one of each kind. */
  readonly #shown: Opened[] = [];
  #lists = 0;
  /** Whether the next text continues the current line, after a bullet for example. */
  #isInLine = true;
  /** The line of the Markdown after the last rendered one. */
  #below = 0;

  constructor(markdown: string) {
    this.#lines = markdown.split(/\r\n?|\n/);
  }

  translate(tokens: readonly Token[]): FormattedText {
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index] as Token;
      if (token.type === 'table_open') {
        const start = index;
        while (tokens[index]?.type !== 'table_close') index += 1;
        this.#showCode(token, this.#tableOf(tokens.slice(start, index)));
      } else if (token.type === 'list_item_open') {
        this.#showBullet(token, tokens[index + 2]?.type === 'inline' ? tokens[index + 2] : undefined);
      } else {
        this.#showBlock(token);
      }
    }
    // Outer entities come first, although they are closed later.
    const entities = this.#entities
      .toReversed()
      .sort((left, right) => left.offset - right.offset || right.length - left.length);
    return { text: this.#text, entities };
  }

  #showBlock(token: Token): void {
    const [, kind = '', side = ''] = /^(.*?)(?:_(open|close))?$/.exec(token.type) ?? [];
    if (kind === 'inline') this.#showInline(token.children ?? []);
    else if (token.tag === 'code') this.#showCode(token, token.content.replace(/\n$/, ''));
    else if (kind.endsWith('_list')) this.#lists += token.nesting;
    else if (side === 'close') this.#endBlock(kind);
    else {
      const quote = quotations[kind];
      this.#begin(token, this.#lists, quote !== undefined);
      if (kind === 'hr') this.#text += '──────────';
      if (kind === 'heading') this.#openMark({ type: 'bold' });
      if (quote !== undefined) this.#openMark({ type: quote });
    }
  }

  #endBlock(kind: string): void {
    if (kind === 'heading' || kind in quotations) this.#closeMark();
    this.#isInLine = false;
  }

  /** Starts a line for a block, after a blank one if the source has one. */
  #begin({ map }: Token, indent: number, isOpened = false): void {
    const [first, end] = map ?? [this.#below, this.#below];
    if (!this.#isInLine) this.#text += (first > this.#below ? '\n\n' : '\n') + indentation(indent);
    this.#isInLine = isOpened;
    this.#below = isOpened ? first + 1 : end;
  }

  #showBullet(token: Token, content: Token | undefined): void {
    this.#begin(token, this.#lists - 1, true);
    const task = token.info === '' ? /^\[([ xX])\][ \t]+(?=\S)/.exec(content?.content ?? '') : null;
    const first = content?.children?.[0];
    if (task !== null && first !== undefined) first.content = first.content.slice(task[0].length);
    const bullet = task === null ? '•' : task[1] === ' ' ? '☐' : '☑';
    this.#text += token.info === '' ? `${bullet} ` : `${token.info}${token.markup} `;
  }

  #showCode(token: Token, content: string): void {
    this.#begin(token, 0);
    const place = { offset: this.#text.length, length: content.length };
    const language = token.info.trim().split(/\s/)[0];
    this.#text += content;
    if (content !== '') this.#entities.push({ type: 'pre', ...place, ...(language ? { language } : {}) });
  }

  #showInline(tokens: readonly Token[]): void {
    for (const token of tokens) {
      const style = styles[token.tag as keyof typeof styles];
      if (token.nesting < 0) this.#closeMark();
      else if (style !== undefined) this.#openMark({ type: style });
      else if (token.type === 'link_open') this.#openMark(token.info === 'auto' ? null : linkTo(token, 'href'));
      else if (token.type === 'code_inline') this.#showInlineCode(token.content);
      else if (token.tag === 'br') this.#text += `\n${indentation(this.#lists)}`;
      else if (token.type === 'image') {
        this.#openMark(linkTo(token, 'src'));
        this.#showInline(token.children ?? []);
        this.#closeMark();
      } else this.#text += token.content;
    }
  }

  /** Code has no other style: those that are open pause for it. In a link it is no code. */
  #showInlineCode(content: string): void {
    const offset = this.#text.length;
    this.#text += content;
    if (this.#shown.some(({ mark }) => mark.type === 'text_link')) return;
    for (const opened of this.#shown.filter(({ mark }) => !isQuotation(mark))) {
      this.#addEntity(opened, offset);
      opened.start = this.#text.length;
    }
    this.#entities.push({ type: 'code', offset, length: content.length });
  }

  /** @param mark null for no formatting; neither styles, links nor quotations are nested in their own kind */
  #openMark(mark: Mark | null): void {
    const isLike = (other: Mark) => other.type === mark?.type || (isQuotation(other) && isQuotation(mark));
    const isShown = mark !== null && !this.#shown.some((outer) => isLike(outer.mark));
    const opened = isShown ? { mark, start: this.#text.length } : null;
    this.#open.push(opened);
    if (opened !== null) this.#shown.push(opened);
  }

  #closeMark(): void {
    const opened = this.#open.pop() ?? null;
    if (opened === null) return;
    this.#shown.pop();
    const { mark, start } = opened;
    if (mark.type === 'text_link' && start === this.#text.length) this.#text += mark.url;
    this.#addEntity(opened, this.#text.length);
  }

  #addEntity({ mark, start }: Opened, end: number): void {
    if (end > start) this.#entities.push({ ...mark, offset: start, length: end - start });
  }

  /** A table as text; as it was written when a row has more cells than the head, which the reader leaves out. */
  #tableOf(tokens: readonly Token[]): string {
    const rows: string[][] = [];
    let [written, read] = ['', ''];
    for (const { type, map, children, content } of tokens) {
      if (type === 'tr_open') written += this.#lines[map?.[0] ?? 0];
      if (type === 'tr_open') rows.push([]);
      if (type !== 'inline') continue;
      read += content;
      rows.at(-1)?.push(new Translation('').translate([{ type: 'inline', children } as Token]).text);
    }
    const [first, end] = tokens[0]?.map ?? [];
    const bare = (text: string) => text.replace(/[\s|\\>]/g, '');
    if (bare(written) !== bare(read)) return this.#lines.slice(first, end).join('\n');
    return alignedTable(rows, maximumTextLength);
  }
}

function indentation(levels: number): string {
  return '  '.repeat(Math.min(levels, 4));
}

function isQuotation(mark: Mark | null): boolean {
  return mark?.type.endsWith('blockquote') === true;
}

function linkTo(token: Token, attribute: 'href' | 'src'): Mark {
  return { type: 'text_link', url: String(token.attrGet(attribute)) };
}
