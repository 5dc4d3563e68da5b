import { sizeOf, type TextSize } from './text-size.ts';

/** A block of code that is open. */
export interface Fence {
  /** Text that reopens and closes the block; empty if too long for a message. */
  opening: string;
  closing: string;
  /** Its backticks or tildes. */
  marks: string;
}

export interface MarkdownLine {
  start: number;
  /** Where its newline is, or the text ends. */
  end: number;
  /** Whether its end is known. */
  isComplete: boolean;
  /** Whether the kind of the line is known, even if it is incomplete. */
  isKnown: boolean;
  kind: 'blank' | 'heading' | 'table' | 'text' | 'opening' | 'code' | 'closing';
  /** The block of code that is open behind it. */
  fence: Fence | null;
}

const fenceLine = /^(?<indent>[ \t]*(?:>[ \t]?)*)(?<marks>`{3,}|~{3,})(?<info>.*)$/s;
/** The start of a line of unknown kind. */
const undecided = /^[\s`~>]*$/;

export interface MarkdownLinesOptions {
  /** The code block at the start of the text. */
  fence: Fence | null;
  /** Longest message. */
  limit: TextSize;
  /** Whether nothing follows. */
  isAll: boolean;
}

export function markdownLines(text: string, { fence: first, limit, isAll }: MarkdownLinesOptions): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let fence = first;
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const kind = kindOf(line, fence);
    if (kind === 'opening') fence = fenceOf(line, limit);
    else if (kind === 'closing') fence = null;
    const isComplete = newline >= 0 || isAll;
    lines.push({ start, end, isComplete, isKnown: isComplete || !undecided.test(line), kind, fence });
    start = end + 1;
  }
  return lines;
}

function kindOf(line: string, fence: Fence | null): MarkdownLine['kind'] {
  const { marks, info = '' } = fenceLine.exec(line)?.groups ?? {};
  if (fence !== null) {
    const isClosing = marks?.startsWith(fence.marks) && info.trim() === '';
    return isClosing ? 'closing' : 'code';
  }
  // Marks followed by further marks are inline code.
  if (marks !== undefined && !(marks.startsWith('`') && info.includes('`'))) return 'opening';
  if (line.trim() === '') return 'blank';
  if (/^\s*\|/.test(line)) return 'table';
  return /^ {0,3}#{1,6}\s/.test(line) ? 'heading' : 'text';
}

function fenceOf(line: string, { most, unit }: TextSize): Fence {
  const { indent = '', marks = '' } = fenceLine.exec(line)?.groups ?? {};
  const opening = line.trimEnd();
  const isShort = sizeOf(opening, unit) + indent.length + marks.length + 2 <= most / 2;
  return isShort ? { opening, closing: indent + marks, marks } : { opening: '', closing: '', marks };
}
