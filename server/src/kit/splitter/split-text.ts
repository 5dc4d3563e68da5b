import { type CutText, certainPlace, closingLength, cutPlace } from './cut-place.ts';
import type { Fence } from './markdown-lines.ts';

/** What follows the last place where a cut may be tells whether it is a good one, code units. */
const lookAhead = 200;

/** A piece of a text: what is written of it, between what opens and closes a block of code that goes over the cut. */
export interface Piece {
  start: number;
  end: number;
  before: string;
  after: string;
}

/** What room a text has, UTF-16 code units. */
export interface Room {
  /** Of one message. At least 2. */
  limit: number;
  /** Of what is left in the first message; no more than the limit. Default: the limit. */
  first?: number;
}

/**
 * Cuts Markdown into pieces that each fit into one message: between paragraphs where it can, else between lines, else
 * between sentences, else between words, else between characters. Blocks of code are closed at a cut and opened again
 * behind it; links, code in a line and rows of tables stay whole where they can. White space at a cut is lost.
 */
export function splitText(text: string, room: Room): string[] {
  return [...piecesOf(text, room)].map(({ start, end, before, after }) => before + text.slice(start, end) + after);
}

/**
 * The part of a growing text that will stand in the first message, whatever follows. It never becomes less, unless there
 * is a character that is longer than half a message.
 * @param room its `first` is that of the whole text, too
 */
export function firstPart(text: string, { limit, first = limit }: Room): string {
  const cut = { ...cutOf(text, 0, null, Math.max(2, first), limit), isAll: false };
  // Even a text that goes on is not cut before this place.
  const at = text.length <= cut.least ? text.length : (certainPlace(cut)?.at ?? cut.least);
  return withoutHalf(text.slice(0, at)).trimEnd();
}

/** The pieces, first to last. Together they hold all of the text but white space. */
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

/** White space before a cut is left out; of code, only blank lines. */
function endOfPiece(text: string, start: number, at: number, fence: Fence | null): number {
  const piece = text.slice(start, at);
  if (fence === null) return start + piece.trimEnd().length;
  return text[at] === '\n' ? start + piece.replace(/(?:\n[^\S\n]*)+$/, '').length : at;
}

/** White space behind a cut is left out, except what a line begins with. */
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
