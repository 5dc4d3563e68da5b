import { type CutText, certainPlace, closingLength, cutPlace } from './cut-place.ts';
import type { Fence } from './markdown-lines.ts';
import { codeUnits, less, restFits, sizeOf, sizesOf, type TextSize } from './text-size.ts';

/** Text after the last possible cut that is needed to judge it, code units. */
const lookAhead = 200;

/** A part of a text: its source, and the marks that open and close a code block across the cut. */
export interface Piece {
  start: number;
  end: number;
  before: string;
  after: string;
}

/** Size limits of the parts. */
export interface Room {
  /** Of one message. Less than a character takes counts as one character. */
  limit: TextSize;
  /** Of the first message. Default: the same. */
  first?: TextSize;
  /** How much of the first message is taken. Default: nothing. */
  used?: number;
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
 * @param room its `limit` does not matter where there is a `first`
 */
export function firstPart(text: string, { limit, first = limit, used = 0 }: Room): string {
  const cut = { ...cutOf(text, { start: 0, fence: null, room: less(first, used), limit: first }), isAll: false };
  // Even a text that continues is not cut before this place.
  const at = text.length <= cut.least ? text.length : (certainPlace(cut)?.at ?? cut.least);
  return text.slice(0, isHalf(text, at) ? at - 1 : at).trimEnd();
}

/** The parts in order. Together they contain all of the text except white space. */
export function* piecesOf(text: string, { limit: following, first = following, used = 0 }: Room): Generator<Piece> {
  let limit = first;
  let left = less(first, used);
  let fence: Fence | null = null;
  let start = 0;
  while (true) {
    const before: string = fence === null || fence.opening === '' ? '' : `${fence.opening}\n`;
    const room = less(left, sizeOf(before, left.unit));
    if (restFits(text, start, room)) {
      if (start === 0 || text.slice(start).trim() !== '') yield { start, end: text.length, before, after: '' };
      return;
    }
    const place = cutPlace(cutOf(text, { start, fence, room, limit }));
    const at = start + place.at;
    const end = endOfPiece(text, start, at, place.fence);
    fence = place.fence;
    if (text.slice(start, end).trim() !== '') {
      yield { start, end, before, after: closingLength(fence) === 0 ? '' : `\n${fence?.closing}` };
      limit = following;
      left = less(following, 0);
    }
    start = nextStart(text, at, fence);
  }
}

/** @param room of the text before the cut @param limit of the whole message */
function cutOf(
  text: string,
  { start, fence, room, limit }: { start: number; fence: Fence | null; room: TextSize; limit: TextSize },
): CutText {
  const reach = text.slice(start, start + codeUnits(room));
  const sizes = sizesOf(reach, room.unit);
  const placeWithin = (size: number) => {
    let place = reach.length;
    while (place > 0 && sizes(place) > size) place -= 1;
    return place;
  };
  const most = placeWithin(room.most);
  const end = start + most + lookAhead;
  return {
    text: text.slice(start, end),
    fence,
    least: placeWithin(Math.floor(room.most / 2)),
    most,
    room: room.most,
    sizes,
    limit,
    isAll: end >= text.length,
  };
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

/** Whether a place is within a character of two code units, the rest of which may still follow. */
function isHalf(text: string, at: number): boolean {
  const last = text.charCodeAt(at - 1);
  const isFirstHalf = last >= 0xd800 && last <= 0xdbff;
  return isFirstHalf && (at === text.length || /^[\udc00-\udfff]/.test(text.charAt(at)));
}
