import { type Fence, type MarkdownLine, type MarkdownLinesOptions, markdownLines } from './markdown-lines.ts';
import { unbrokenParts } from './unbroken-parts.ts';

/** A place where a text may be cut, UTF-16 code units from its start, and the block of code that it is in. */
export interface CutPlace {
  at: number;
  fence: Fence | null;
}

/** The text to be cut. */
export interface CutText extends MarkdownLinesOptions {
  /** As much of it as counts. */
  text: string;
  /** Code units before the cut: no fewer when there is a choice, and no more. */
  least: number;
  most: number;
  /** What the text before the cut may take, in units of the limit, and what its starts take, by their code units. */
  room: number;
  sizes: (length: number) => number;
}

/** How far around a place a character of several code units is looked for, and a word. */
const longestCharacter = 64;
const longestWord = 200;

/** Not the number of a list item. Each run of marks is scanned once. */
const sentenceEnd =
  /(?<!^\s*\d{1,3}|[.!?…])[.!?…]+["'”’)\]*_]*(?=\s)|(?<![。！？…])[。！？…]+[”’」』）】]*(?=[^。！？…”’」』）】])/g;
const spaces = /(?<=\S)[^\S\n]+/g;
const lineLevels: readonly ((line: MarkdownLine, next: MarkdownLine) => boolean)[] = [
  (line, next) => line.fence === null && (line.kind === 'blank' || next.kind === 'blank'),
  (line, next) => line.fence === null && !(line.kind === 'table' && next.kind === 'table') && line.kind !== 'heading',
  (line) => line.fence === null,
  (line, next) => line.kind !== 'opening' && next.kind === 'code' && isBlank(line, next),
  (line, next) => (line.kind !== 'opening' && next.kind !== 'closing') || line.fence?.closing === '',
];

/** Created on first use: together they take 6 MB. */
let graphemes: Intl.Segmenter | undefined;
let words: Intl.Segmenter | undefined;

/**
 * The best place that stays the best when more of the text is known, unless a better one follows: between paragraphs,
 * else lines, else sentences, else words, and not within links, code and the like. Null when there is none.
 */
export function certainPlace(cut: CutText): CutPlace | null {
  const lines = markdownLines(cut.text, cut);
  return betweenLines(lines, cut) ?? withinLines(lines, cut);
}

/** The best place to cut a text that continues. Anything will do but half a character. */
export function cutPlace(cut: CutText): CutPlace {
  const lines = markdownLines(cut.text, cut);
  return betweenLines(lines, cut) ?? withinLines(lines, cut) ?? anywhere(lines, cut);
}

/** How much room the end of a block of code takes that is cut in two. It is the same in all units. */
export function closingLength(fence: Fence | null): number {
  return fence === null || fence.closing === '' ? 0 : fence.closing.length + 1;
}

/** The last place up to `at` where no character of several code units is cut in two. */
function characterStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const from = Math.max(0, at - longestCharacter);
  const around = graphemes.segment(text.slice(from, at + longestCharacter)).containing(at - from);
  return from + (around?.index ?? at - from);
}

function fits({ least, room, sizes }: CutText, { at, fence }: CutPlace): boolean {
  return at >= least && sizes(at) + closingLength(fence) <= room;
}

/** The last place that leaves room for the end of a block of code. */
function lastPlace({ most, room, sizes }: CutText, fence: Fence | null): number {
  const left = room - closingLength(fence);
  let at = most;
  while (at > 1 && sizes(at) > left) at -= 1;
  return at;
}

function betweenLines(lines: readonly MarkdownLine[], cut: CutText): CutPlace | null {
  for (const isFine of lineLevels) {
    for (let index = lines.length - 2; index >= 0; index -= 1) {
      const [line, next] = [lines[index], lines[index + 1]] as [MarkdownLine, MarkdownLine];
      if (line.end < cut.least) break;
      const place = { at: line.end, fence: line.fence };
      if (next.isKnown && fits(cut, place) && isFine(line, next)) return place;
    }
  }
  return null;
}

function isBlank(line: MarkdownLine, next: MarkdownLine): boolean {
  return line.end === line.start || (next.isComplete && next.end === next.start);
}

/** Between sentences, else between words, else between words of code. */
function withinLines(lines: readonly MarkdownLine[], cut: CutText): CutPlace | null {
  const within = (expression: RegExp, isEnd: boolean, kinds: readonly MarkdownLine['kind'][]) =>
    lastOf(lines, cut, (line) => {
      if (!kinds.includes(line.kind)) return [];
      const text = cut.text.slice(line.start, line.end);
      const isUnbroken = new Uint8Array(text.length + 1);
      const parts = line.kind === 'code' ? [] : unbrokenParts(text, line.isComplete);
      for (const { start, end } of parts) isUnbroken.fill(1, start + 1, end);
      return [...text.matchAll(expression)]
        .map(({ index, 0: found }) => index + (isEnd ? found.length : 0))
        .filter((at) => isUnbroken[at] === 0)
        .map((at) => line.start + at);
    });
  return within(sentenceEnd, true, prose) ?? within(spaces, false, prose) ?? within(spaces, false, ['code']);
}

const prose: readonly MarkdownLine['kind'][] = ['text', 'heading'];

/** The last of the places in the lines, of which each line tells its own in order. */
function lastOf(
  lines: readonly MarkdownLine[],
  cut: CutText,
  placesIn: (line: MarkdownLine) => number[],
): CutPlace | null {
  for (const line of lines.toReversed()) {
    if (line.end < cut.least) break;
    // It may turn out that the place before it is the better one.
    if (!line.isKnown) continue;
    const fence = fenceAt(line);
    for (const at of placesIn(line).toReversed()) {
      if (fits(cut, { at, fence }) && characterStart(cut.text, at) === at) return { at, fence };
    }
  }
  return null;
}

/** Between words even if that breaks a link or a table row, else between characters. */
function anywhere(lines: readonly MarkdownLine[], cut: CutText): CutPlace {
  const space = lastOf(lines, cut, (line) =>
    [...cut.text.slice(line.start, line.end).matchAll(spaces)].map(({ index }) => line.start + index),
  );
  if (space !== null) return space;
  const line = (at: number) => lines.findLast(({ start }) => start <= at) as MarkdownLine;
  const fence = fenceAt(line(cut.most));
  const most = lastPlace(cut, fence);
  const word = wordStart(cut.text, most, cut.least);
  const at = word ?? characterStart(cut.text, most);
  if (at > 0) return { at, fence: fenceAt(line(at)) };
  // A character that is longer than a message.
  return { at: isLow(cut.text, most) && most > 1 ? most - 1 : most, fence };
}

function fenceAt({ kind, fence }: MarkdownLine): Fence | null {
  return kind === 'opening' ? null : fence;
}

/** Where a word starts in a script without spaces, and not at a mark that belongs to the word before. */
function wordStart(text: string, most: number, least: number): number | null {
  const from = characterStart(text, Math.max(least, most - longestWord));
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const starts = [...words.segment(text.slice(from, most + longestCharacter))]
    .map(({ index }) => from + index)
    .filter((at) => at <= most && at >= least && at > from);
  const isFine = (at: number) =>
    !/^[\p{Po}\p{Pe}\p{Pf}]/u.test(text.slice(at, at + 2)) && !/[\p{Ps}\p{Pi}]$/u.test(text.slice(at - 2, at));
  return starts.findLast(isFine) ?? null;
}

function isLow(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
