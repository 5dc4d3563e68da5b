import { type CutText, certainPlace, closingLength, cutPlace } from './cut-place.ts';
import type { Fence } from './markdown-lines.ts';

/** Text after the last possible cut that is needed to judge it, code units. */
const lookAhead = 200;

/** A part of a text: its source, and the marks that open and close a code block across the cut. */
export interface Piece {
  start: number;
  end: number;
  before: string;
  after: string;
}

/** Size limits of the parts, UTF-16 code units. */
export interface Room {
  /** Of one message. At least 2. */
  limit: number;
  /** Remaining space in the first message; at most the limit. Default: the limit. */
  first?: number;
}

/**
 * Splits Markdown into parts that each fit into one message: preferably between paragraphs, else between lines,
 * sentences, words, or characters. Code blocks are closed at a cut and reopened after it; links, inline code and table
 * rows stay whole if possible. White space at a cut is lost.
 */
export function splitText(text: string, room: Room): string[] {
  return [...piecesOf(text, room)].map(({ start, end, before, after }) => before + text.slice(start, end) + after);
}

/**
 * The start of a streamed text that will be in the first message, whatever follows. It never becomes shorter, unless a
 * character is longer than half a message.
 * @param room its `first` applies to the whole text, too
 */
export function firstPart(text: string, { limit, first = limit }: Room): string {
  const cut = { ...cutOf(text, 0, null, Math.max(2, first), limit), isAll: false };
  // Even a text that continues is not cut before this place.
  const at = text.length <= cut.least ? text.length : (certainPlace(cut)?.at ?? cut.least);
  return withoutHalf(text.slice(0, at)).trimEnd();
}

/** The parts in order. Together they contain all of the text except white space. */
export function* piecesOf(text: string, { limit, first = limit }: Room): Generator<Piece> {
  let room = Math.max(2, first);
  let fence: Fence | null = null;
  let start = 0;
  while (true) {
    const before: string = fence === null || fence.opening === '' ? '' : `${fence.opening}\n`;
    if (before.length + text.length - start <= room) {
      if (start === 0 || text.slice(start).trim() !== '') yield { start, end: text.length, before, after: '' };
      return;
    }
    const place = cutPlace(cutOf(text, start, fence, room - before.length, limit));
    const at = start + place.at;
    const end = endOfPiece(text, start, at, place.fence);
    fence = place.fence;
    if (text.slice(start, end).trim() !== '') {
      yield { start, end, before, after: closingLength(fence) === 0 ? '' : `\n${fence?.closing}` };
      room = Math.max(2, limit);
    }
    start = nextStart(text, at, fence);
  }
}

function cutOf(text: string, start: number, fence: Fence | null, most: number, limit: number): CutText {
  const end = start + most + lookAhead;
  const isAll = end >= text.length;
  return { text: text.slice(start, end), fence, least: Math.floor(most / 2), most, limit, isAll };
}

/** Removes white space before a cut; of code, only blank lines. */
function endOfPiece(text: string, start: number, at: number, fence: Fence | null): number {
  const piece = text.slice(start, at);
  if (fence === null) return start + piece.trimEnd().length;
  return text[at] === '\n' ? start + piece.replace(/(?:\n[^\S\n]*)+$/, '').length : at;
}

/** Skips white space after a cut, except indentation. */
function nextStart(text: string, at: number, fence: Fence | null): number {
  if (fence !== null && text[at] !== '\n') return at;
  const rest = text.slice(at);
  const word = at + rest.length - rest.trimStart().length;
  const newline = text.lastIndexOf('\n', word - 1);
  return newline >= at ? newline + 1 : word;
}

/** The rest of a character of two code units may follow. */
function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
