import { isRightToLeft, isUnspaced, joinsWithoutSpace } from './characters.ts';
import type { Line } from './regions.ts';
import { isListMark } from './rows.ts';

export interface Paragraph {
  type: 'paragraph' | 'list-item' | 'code';
  text: string;
  /** Of its letters. */
  size: number;
  /** Of all of its letters; empty where there are several. */
  font: string;
  lines: number;
}

/** How much of a line is searched for the start of a word that continues in the next one, characters. */
const longestWord = 200;

/** Unbroken words of the document, in lower case: they tell whether a hyphen belongs to a word. */
export class Vocabulary {
  readonly #words = new Set<string>();

  add(line: string): void {
    const words = line.toLowerCase().match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*-?/gu) ?? [];
    for (const word of words) if (!word.endsWith('-')) this.#words.add(word);
  }

  /** The text of two lines of a paragraph in one. */
  join(before: string, after: string): string {
    if (joinsWithoutSpace(before, after)) return before + after;
    const divided = /([\p{L}\p{N}-]*\p{L})([-\u2010\u00ad])$/u.exec(before.slice(-longestWord));
    const [rest] = /^\p{Ll}[\p{L}\p{N}]*/u.exec(after) ?? [];
    if (divided === null || rest === undefined) return `${before} ${after}`;
    const [, start = '', hyphen] = divided;
    const keeps =
      hyphen !== '\u00ad' &&
      this.#words.has(`${start}-${rest}`.toLowerCase()) &&
      !this.#words.has((start + rest).toLowerCase());
    return keeps ? before + after : before.slice(0, -1) + after;
  }
}

/** Puts the lines of a column together, from top to bottom. */
export function paragraphsOf(lines: readonly Line[], bodySize: number, vocabulary: Vocabulary): Paragraph[] {
  const leading = leadingOf(lines);
  return groups(lines, (line, before) => isApart(line, before, leading)).flatMap((block) => {
    const shape = shapeOf(block);
    return groups(block, (line, before, current) => beginsParagraph(line, before, current, shape, bodySize)).map(
      (part) => paragraphOf(part, vocabulary),
    );
  });
}

function groups(
  lines: readonly Line[],
  begins: (line: Line, before: Line, current: readonly Line[]) => boolean,
): Line[][] {
  const result: Line[][] = [];
  for (const [index, line] of lines.entries()) {
    const current = result.at(-1);
    const before = lines[index - 1];
    if (current === undefined || before === undefined || begins(line, before, current)) result.push([line]);
    else current.push(line);
  }
  return result;
}

/** From line to line within a paragraph, as part of the size of the letters. */
function leadingOf(lines: readonly Line[]): number {
  const leadings = lines
    .slice(1)
    .map((line, index) => (line.y - (lines[index]?.y ?? 0)) / line.size)
    .filter((leading) => leading > 0.8 && leading < 2.2)
    .sort((a, b) => a - b);
  return leadings[Math.floor(leadings.length / 4)] ?? 1.2;
}

/** Other letters, or more room than between the lines of a paragraph. */
function isApart(line: Line, before: Line, leading: number): boolean {
  const distance = line.y - before.y;
  if (line.monospace || before.monospace)
    return line.monospace !== before.monospace || distance <= 0 || distance > 3 * line.size;
  if (Math.abs(line.size - before.size) > 0.06 * before.size) return true;
  return distance <= 0 || distance > Math.max(leading * 1.3, 1.05) * Math.max(line.size, before.size);
}

/** Left and right edges of the lines between two gaps. */
interface Shape {
  left: number;
  right: number;
}

function shapeOf(lines: readonly Line[]): Shape {
  return { left: Math.min(...lines.map(({ x0 }) => x0)), right: Math.max(...lines.map(({ x1 }) => x1)) };
}

function beginsParagraph(line: Line, before: Line, current: readonly Line[], shape: Shape, bodySize: number): boolean {
  const [first = line] = current;
  if (line.monospace) return false;
  if (startsWithMark(line.text)) return true;
  if (/\p{L}[-\u2010\u00ad]$/u.test(before.text) && /^\p{Ll}/u.test(line.text)) return false;
  // Headings in large letters are often centered, where an edge has no meaning.
  if (line.size > bodySize * 1.15) return false;
  const em = line.size;
  if (isRightToLeft(line.text)) return before.x0 - shape.left > firstWordWidth(line) + 1.5 * em;
  if (startsWithMark(first.text)) {
    // A continuation of an item is below its text; text further left than its mark is something else.
    if (line.x0 < first.x0 - 0.3 * em) return true;
    const second = current[1];
    return second !== undefined && line.x0 < second.x0 - 0.8 * em;
  }
  const second = current[1] ?? first;
  if (line.x0 > Math.max(before.x0, second.x0) + 0.8 * em && Math.abs(before.x0 - shape.left) < em) return true;
  return shape.right - before.x1 > firstWordWidth(line) + 1.2 * em;
}

/** Its first word would have had room in the line before, if the line had gone on. */
function firstWordWidth({ text, x0, x1 }: Line): number {
  const [word = ''] = /^\S+/.exec(text) ?? [];
  const characters = isUnspaced(word) ? 1 : word.length;
  return ((x1 - x0) * characters) / Math.max(1, text.length);
}

function startsWithMark(text: string): boolean {
  const [mark, ...rest] = text.split(' ');
  return mark !== undefined && rest.length > 0 && isListMark(mark) && mark !== '-' && mark !== '—' && mark !== '–'
    ? true
    : /^[-–—] \S/.test(text);
}

function paragraphOf(lines: readonly Line[], vocabulary: Vocabulary): Paragraph {
  const font = lines.every((line) => line.font === lines[0]?.font) ? (lines[0]?.font ?? '') : '';
  const about = { size: lines[0]?.size ?? 0, font, lines: lines.length };
  if (lines.every(({ monospace }) => monospace)) {
    const isCode = lines.length > 1 || /[{}()[\]=;<>$/\\_]/.test(lines[0]?.text ?? '');
    return { type: isCode ? 'code' : 'paragraph', text: codeOf(lines), ...about };
  }
  const text = lines.map((line) => line.text).reduce((all, line) => vocabulary.join(all, line));
  const marked = /^(\S+) (.*)$/s.exec(text);
  if (marked === null || !startsWithMark(text)) return { type: 'paragraph', text, ...about };
  // Numbers are part of the text that users cite, bullets are not.
  const [, mark = '', rest = ''] = marked;
  return { type: 'list-item', text: /[\p{L}\p{N}]/u.test(mark) ? text : rest, ...about };
}

/** Its lines, indented as on the page. */
function codeOf(lines: readonly Line[]): string {
  const left = Math.min(...lines.map(({ x0 }) => x0));
  return lines
    .map(({ text, x0, x1 }) => {
      const width = (x1 - x0) / Math.max(1, text.length);
      return ' '.repeat(Math.min(200, Math.max(0, Math.round((x0 - left) / (width || 1))))) + text;
    })
    .join('\n');
}
