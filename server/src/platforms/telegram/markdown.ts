import { type FormattedText, joined, plainText } from './formatted-text.ts';
import { formatInline } from './markdown-inline.ts';

/** A longer text is shown as it is written. */
const longestMarkdown = 100_000;
/** Longest table row, in characters, that is worth aligning; a longer one would only wrap. */
const widestTable = 200;

/**
 * Shows Markdown as models write it, with what Telegram can show: headings are bold, tables are aligned in a block of
 * code, thoughts (`<think>`) are folded away. It is for texts that are still growing, too: what is not closed yet stays
 * as it was written, except code, which is code from its first line on. It takes time in proportion to the text,
 * whatever the text is, and never fails.
 */
export function formatMarkdown(markdown: string): FormattedText {
  if (markdown.length > longestMarkdown) return plainText(markdown);
  return new BlockFormatter(markdown.replace(/\r\n?/g, '\n').split('\n')).format();
}

class BlockFormatter {
  readonly #lines: readonly string[];
  readonly #pieces: FormattedText[] = [];
  /** Lines of the paragraph that is being read. */
  #paragraph: string[] = [];
  #next = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  format(): FormattedText {
    while (this.#next < this.#lines.length) {
      const line = this.#lines[this.#next] ?? '';
      if (this.#code(line) || this.#thoughts(line) || this.#quote(line) || this.#table(line)) continue;
      this.#next += 1;
      if (this.#heading(line) || this.#rule(line) || this.#item(line)) continue;
      if (line.trim() === '') this.#endParagraph(plainText(''));
      else this.#paragraph.push(line);
    }
    this.#endParagraph();
    return joined(this.#pieces.flatMap((piece, index) => (index === 0 ? [piece] : [plainText('\n'), piece])));
  }

  #endParagraph(...then: FormattedText[]): void {
    if (this.#paragraph.length > 0) this.#pieces.push(formatInline(this.#paragraph.join('\n')));
    this.#paragraph = [];
    this.#pieces.push(...then);
  }

  #code(line: string): boolean {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marks === undefined) return false;
    const described = line.trimStart().slice(marks.length);
    if (described.includes('`')) return false;
    const language = described.trim().split(/\s/)[0] as string;
    const content = this.#linesUntil(this.#next + 1, (candidate) => {
      const closing = candidate.trim();
      return closing.length >= marks.length && closing === marks.charAt(0).repeat(closing.length);
    });
    const mark = language === '' ? { type: 'pre' as const } : { type: 'pre' as const, language };
    this.#endParagraph(marked(plainText(content.join('\n')), mark));
    return true;
  }

  /** What a model thought aloud, which is between tags on lines of their own. */
  #thoughts(line: string): boolean {
    if (line.trim() !== '<think>') return false;
    const content = this.#linesUntil(this.#next + 1, (candidate) => candidate.trim() === '</think>');
    this.#endParagraph(marked(formatInline(content.join('\n').trim()), { type: 'expandable_blockquote' }));
    return true;
  }

  #quote(line: string): boolean {
    if (!/^ {0,3}>/.test(line)) return false;
    const content: string[] = [];
    for (; this.#next < this.#lines.length; this.#next += 1) {
      const quoted = this.#lines[this.#next] ?? '';
      if (!/^ {0,3}>/.test(quoted)) break;
      // Quotes in quotes are shown as one, since Telegram knows no others.
      content.push(quoted.replace(/^[ >]+/, ''));
    }
    this.#endParagraph(marked(formatInline(content.join('\n').trim()), { type: 'blockquote' }));
    return true;
  }

  #table(line: string): boolean {
    if (!line.includes('|') || !isTableRule(this.#lines[this.#next + 1])) return false;
    const rows = [cellsOf(line)];
    this.#next += 2;
    for (; this.#next < this.#lines.length; this.#next += 1) {
      const row = this.#lines[this.#next] ?? '';
      if (!row.includes('|')) break;
      rows.push(cellsOf(row));
    }
    this.#endParagraph(marked(plainText(alignedTable(rows)), { type: 'pre' }));
    return true;
  }

  #heading(line: string): boolean {
    const heading = /^ {0,3}#{1,6}[ \t]+(\S.*)$/.exec(line);
    if (heading === null) return false;
    this.#endParagraph(formatInline(withoutClosingMarks(heading[1] ?? ''), 'bold'));
    return true;
  }

  #rule(line: string): boolean {
    if (!/^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line)) return false;
    this.#endParagraph(plainText('──────────'));
    return true;
  }

  #item(line: string): boolean {
    const item = /^([ \t]*)[-*+][ \t]+(?:\[([ xX])\][ \t]+)?(\S.*)$/.exec(line);
    if (item === null) return false;
    const [, indent = '', box, content = ''] = item;
    const bullet = box === undefined ? '•' : box === ' ' ? '☐' : '☑';
    this.#endParagraph(joined([plainText(`${indent}${bullet} `), formatInline(content)]));
    return true;
  }

  /** The lines from one on up to the one that ends them, which is passed over; all of them when none does. */
  #linesUntil(first: number, ends: (line: string) => boolean): string[] {
    const content: string[] = [];
    for (this.#next = first; this.#next < this.#lines.length; this.#next += 1) {
      const line = this.#lines[this.#next] ?? '';
      if (ends(line)) {
        this.#next += 1;
        break;
      }
      content.push(line);
    }
    return content;
  }
}

/** A text that is code or a quotation as a whole, beside what it has inside. */
function marked(
  { text, entities }: FormattedText,
  mark: { type: 'pre'; language?: string } | { type: 'blockquote' | 'expandable_blockquote' },
): FormattedText {
  return { text, entities: text === '' ? [] : [{ ...mark, offset: 0, length: text.length }, ...entities] };
}

/** The title without the marks that may end its line, too. */
function withoutClosingMarks(title: string): string {
  const text = title.trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return /[ \t]/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text;
}

/** The line below a table's head: `|---|:-:|`. */
function isTableRule(line: string | undefined): boolean {
  return line?.includes('-') === true && line.includes('|') && /^[ \t|:-]+$/.test(line);
}

function cellsOf(row: string): string[] {
  const cells = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => formatInline(cell.replaceAll('\\|', '|').trim()).text);
}

function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  const isNarrow = widths.reduce((sum, width) => sum + width + 3, 0) <= widestTable;
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (isNarrow ? cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)) : cell))
      .join(' | ')
      .trimEnd();
  const [head = [], ...body] = rows;
  const rule = isNarrow ? widths.map((width) => '-'.repeat(width)).join('-+-') : '---';
  return [line(head), rule, ...body.map(line)].join('\n');
}

/** Columns a text takes in a font of fixed width: Chinese, Japanese and Korean characters and emoji take two. */
function widthOf(text: string): number {
  return (
    [...text].length +
    (text.match(
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu,
    )?.length ?? 0)
  );
}
