import { blockText, type DocumentBlock, rowText } from '@parley/sdk';

/**
 * A unit of a document that stays whole in one chunk: a sentence, a table row, a line of code; or a part of one that
 * exceeds the chunk size. Positions are in the text of the document.
 */
export interface TextUnit {
  start: number;
  end: number;
  page: number | null;
  /** The place of its block. */
  block: number;
  /** Where its block ends. */
  blockEnd: number;
  /** Text that precedes a chunk starting here: the first row of a table. Empty for none. */
  head: string;
  /** Whether the next chunk may repeat it. */
  overlaps: boolean;
}

/** Text that is looked through for sentences at once, characters. */
const windowLength = 16_384;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The units of a block, in order. Only white space is between them.
 * @param start of the block in the text of the document
 * @param size most characters of a unit with its header
 */
export function* unitsOf(block: DocumentBlock, place: number, start: number, size: number): Generator<TextUnit> {
  const text = blockText(block);
  const unit = { page: block.page ?? null, block: place, blockEnd: start + text.length, head: '', overlaps: true };
  const within = (spans: Iterable<Span>, over: Partial<TextUnit> = {}) => moved(spans, start, { ...unit, ...over });
  switch (block.type) {
    case 'table': {
      const head = block.head ? `${rowText(block.rows[0] ?? [])}\n` : '';
      // A head that fills half of a chunk would leave too little for its rows.
      const isRepeated = head.trim() !== '' && head.length <= size / 2;
      const headEnd = isRepeated ? head.length : 0;
      yield* within(rowsOf(text, 0, headEnd, size), { overlaps: false });
      const repeated = isRepeated ? head : '';
      yield* within(rowsOf(text, headEnd, text.length, size - repeated.length), { overlaps: false, head: repeated });
      return;
    }
    case 'code':
      yield* within(rowsOf(text, 0, text.length, size));
      return;
    default:
      yield* within(sentencesOf(text, size));
  }
}

interface Span {
  start: number;
  end: number;
}

function* moved(spans: Iterable<Span>, by: number, unit: Omit<TextUnit, 'start' | 'end'>): Generator<TextUnit> {
  for (const { start, end } of spans) yield { ...unit, start: start + by, end: end + by };
}

/** Lines with their indentation; longer ones in parts. */
function* rowsOf(text: string, from: number, to: number, size: number): Generator<Span> {
  for (let start = from; start < to; ) {
    const feed = text.indexOf('\n', start);
    const next = feed === -1 || feed >= to ? to : feed + 1;
    const end = start + text.slice(start, next).trimEnd().length;
    if (end - start <= size) {
      if (end > start) yield { start, end };
    } else yield* piecesOf(text, start, end, size);
    start = next;
  }
}

/** Sentences without surrounding white space; longer ones by their lines, or in parts. */
function* sentencesOf(text: string, size: number): Generator<Span> {
  for (let from = 0; from < text.length; ) {
    const window = text.slice(from, from + windowLength);
    const isLast = from + window.length === text.length;
    let next = from;
    for (const { index, segment } of sentences.segment(onOneLine(window))) {
      next = from + index + segment.length;
      if (!isLast && index + segment.length === window.length) {
        // The window cuts it off; it is processed with the following text, unless it fills the window by itself.
        next = from + (index > 0 ? index : cutOf(text.slice(from, from + windowLength + 64), windowLength));
        if (index > 0) break;
      }
      const span = trimmed(text, from + index, next);
      if (span.end - span.start <= size) {
        if (span.end > span.start) yield span;
      } else yield* linesOf(text, span, size);
    }
    from = next;
  }
}

function* linesOf(text: string, { start, end }: Span, size: number): Generator<Span> {
  for (const line of rowsOf(text, start, end, Number.POSITIVE_INFINITY)) {
    const span = trimmed(text, line.start, line.end);
    yield* piecesOf(text, span.start, span.end, size);
  }
}

/** Lines end where they are full, sentences do not; the length stays. Empty lines separate sentences. */
function onOneLine(text: string): string {
  return text.replace(/(?<![\r\n])(?:\r\n|[\r\n])(?![ \t]*[\r\n])/g, (feed) => ' '.repeat(feed.length));
}

/** Parts of at most `size`, preferably cut between words. */
function* piecesOf(text: string, start: number, end: number, size: number): Generator<Span> {
  for (let from = start; from < end; ) {
    const to = end - from <= size ? end : from + cutOf(text.slice(from, Math.min(end, from + size + 64)), size);
    const span = trimmed(text, from, to);
    if (span.end > span.start) yield span;
    from = to;
  }
}

/** The best place to cut in the second half, else the last between characters. */
function cutOf(text: string, size: number): number {
  const space = text.slice(0, size).search(/\s\S*$/);
  const candidates = [space + 1, borderBefore(words, text, size)];
  const cut = candidates.find((place) => place > size / 2) ?? size;
  const whole = borderBefore(graphemes, text, cut);
  if (whole > 0) return whole;
  // One character that is longer than a chunk may be, of a letter and thousands of marks; the halves of a code point
  // stay together all the same.
  return isInsidePair(text, size) && size > 1 ? size - 1 : size;
}

function borderBefore(segmenter: Intl.Segmenter, text: string, place: number): number {
  return segmenter.segment(text).containing(place)?.index ?? place;
}

function isInsidePair(text: string, place: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(place - 1, place + 1));
}

function trimmed(text: string, start: number, end: number): Span {
  const slice = text.slice(start, end);
  const from = start + slice.length - slice.trimStart().length;
  return { start: from, end: Math.max(from, start + slice.trimEnd().length) };
}
