import type { MessageEntity } from 'grammy/types';

/**
 * A text with formatting as entities outside of the text, so no character of an answer can break it. Offsets and
 * lengths count UTF-16 code units, as strings of JavaScript do.
 * @see https://core.telegram.org/bots/api#messageentity
 */
export interface FormattedText {
  text: string;
  entities: MessageEntity[];
}

/** The longest text of one message. @see https://core.telegram.org/bots/api#sendmessage */
export const maximumTextLength = 4096;

/** Created on first use: it takes 3 MB. */
let graphemes: Intl.Segmenter | undefined;
/** How far back the start of a character of several code units (a family of emoji, say) is searched. */
const longestCharacter = 64;

export function plainText(text: string): FormattedText {
  return { text, entities: [] };
}

/** One text after the other. */
export function joined(pieces: readonly FormattedText[]): FormattedText {
  let text = '';
  const entities: MessageEntity[] = [];
  for (const piece of pieces) {
    for (const entity of piece.entities) entities.push({ ...entity, offset: entity.offset + text.length });
    text += piece.text;
  }
  return { text, entities };
}

/** A part of a text with the formatting that falls into it. */
export function sliced({ text, entities }: FormattedText, start: number, end: number): FormattedText {
  const included: MessageEntity[] = [];
  for (const entity of entities) {
    const from = Math.max(entity.offset, start);
    const to = Math.min(entity.offset + entity.length, end);
    if (to > from) included.push({ ...entity, offset: from - start, length: to - from });
  }
  return { text: text.slice(start, end), entities: included };
}

/** Without white space at its ends, which Telegram would take away. */
export function trimmed(formatted: FormattedText): FormattedText {
  const { text } = formatted;
  const start = text.length - text.trimStart().length;
  // Indentation stays: only whole blank lines are removed at the start.
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const end = text.trimEnd().length;
  return end <= start ? plainText('') : sliced(formatted, lineStart, end);
}

/**
 * Splits a text into parts that each fit into one message: preferably between paragraphs, else between lines, words, or
 * characters. Formatting across a cut continues in the next part. A cut depends only on the text before it, so the
 * first parts of a streamed text stay the same.
 */
export function splitText(formatted: FormattedText, limit = maximumTextLength): FormattedText[] {
  const pieces: FormattedText[] = [];
  let rest = trimmed(formatted);
  while (rest.text.length > limit) {
    const cut = cutBefore(rest.text, limit);
    pieces.push(trimmed(sliced(rest, 0, cut)));
    rest = trimmed(sliced(rest, rest.text[cut] === ' ' ? cut + 1 : cut, rest.text.length));
  }
  if (rest.text !== '') pieces.push(rest);
  return pieces.filter(({ text }) => text !== '');
}

/** Where to cut so that at most `limit` units come before. A part is at least half full. */
function cutBefore(text: string, limit: number): number {
  // A separator that starts right at the limit is valid, too.
  const window = text.slice(0, limit + 1);
  for (const separator of ['\n\n', '\n', ' ']) {
    const found = window.lastIndexOf(separator);
    if (found >= limit / 2) return found;
  }
  const from = Math.max(0, limit - longestCharacter);
  const start = from + (isLowSurrogate(text.charCodeAt(from)) ? 1 : 0);
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const around = graphemes.segment(text.slice(start, limit + longestCharacter)).containing(limit - start);
  const cut = start + (around?.index ?? limit - start);
  return cut > start ? cut : limit - (isLowSurrogate(text.charCodeAt(limit)) ? 1 : 0);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
