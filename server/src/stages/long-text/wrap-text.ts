import { setImmediate as nextTurn } from 'node:timers/promises';

/** Tells how wide a text is, in the same unit as the lines. */
export type Measure = (text: string) => number;

/** A part of a line that is not broken, and how wide it is. */
interface Token {
  text: string;
  width: number;
  isSpace: boolean;
}

/** Maximum time of work before yielding, milliseconds. */
const longestTurn = 10;
const tab = '    ';

/** Created on first use: together they take 6 MB. */
let segmenters: { words: Intl.Segmenter; characters: Intl.Segmenter } | undefined;

/**
 * Breaks a text into lines that are no wider than `width`: between words, in Chinese and Japanese, too. Punctuation
 * stays with its word at line breaks. A word that is wider than a line is broken between characters. Yields in between.
 * @throws the signal's reason
 */
export async function wrapText(text: string, width: number, measure: Measure, signal: AbortSignal): Promise<string[]> {
  const widths = new Map<string, number>();
  const known: Measure = (part) => {
    const found = widths.get(part) ?? measure(part);
    widths.set(part, found);
    return found;
  };
  const lines: string[] = [];
  let turn = performance.now();
  for (const paragraph of printable(text).split('\n')) {
    const line = new Line(width);
    for (const token of tokensOf(paragraph, known)) {
      lines.push(...line.add(token, known));
      if (performance.now() - turn < longestTurn) continue;
      await nextTurn();
      signal.throwIfAborted();
      turn = performance.now();
    }
    lines.push(line.text);
  }
  return lines;
}

/** Removes characters that cannot be drawn. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', tab)
    .replaceAll(/[^\P{Cc}\n]/gu, '');
}

class Line {
  readonly #width: number;
  #tokens: Token[] = [];
  #used = 0;
  #isContinued = false;

  constructor(width: number) {
    this.#width = width;
  }

  get text(): string {
    return this.#tokens
      .map(({ text }) => text)
      .join('')
      .trimEnd();
  }

  /** @returns the lines that are complete now */
  add(token: Token, measure: Measure): string[] {
    const complete: string[] = [];
    const isFull = this.#used + token.width > this.#width && this.#used > 0 && !token.isSpace;
    const ended = isFull ? this.#end() : '';
    // An indent that leaves no space is dropped.
    if (ended !== '') complete.push(ended);
    if (token.width <= this.#width) {
      // A continued line does not start with the space between its words.
      if (!token.isSpace || this.#used > 0 || !this.#isContinued) this.#append(token);
      return complete;
    }
    for (const character of charactersOf(token.text)) {
      const width = measure(character);
      if (this.#used + width > this.#width && this.#used > 0) complete.push(this.#end());
      this.#append({ text: character, width, isSpace: token.isSpace });
    }
    return complete;
  }

  #append(token: Token): void {
    this.#tokens.push(token);
    this.#used += token.width;
  }

  #end(): string {
    const { text } = this;
    this.#tokens = [];
    this.#used = 0;
    this.#isContinued = true;
    return text;
  }
}

const closing = /^[\p{Pe}\p{Pf}、。，．：；？！!?,.:;%‰°…‥・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ”’]+$/u;
const opening = /^[\p{Ps}\p{Pi}$¥£€#@“‘]+$/u;
/** Most marks that stay with one word: a row of them that has no end is broken. */
const mostMarks = 8;

function* tokensOf(paragraph: string, measure: Measure): Generator<Token> {
  let word = '';
  let marks = 0;
  let isOpen = false;
  const token = (text: string): Token => ({ text, width: measure(text), isSpace: text.trim() === '' });
  for (const { segment } of loadSegmenters().words.segment(paragraph)) {
    const isMark = closing.test(segment);
    const stays = word.trim() !== '' && marks < mostMarks && (isOpen ? segment.trim() !== '' : isMark);
    if (word !== '' && !stays) {
      yield token(word);
      word = '';
      marks = 0;
    }
    word += segment;
    isOpen = opening.test(segment);
    if (isMark || isOpen) marks += 1;
  }
  if (word !== '') yield token(word);
}

function charactersOf(text: string): string[] {
  return [...loadSegmenters().characters.segment(text)].map(({ segment: character }) => character);
}

function loadSegmenters() {
  segmenters ??= {
    words: new Intl.Segmenter(undefined, { granularity: 'word' }),
    characters: new Intl.Segmenter(undefined, { granularity: 'grapheme' }),
  };
  return segmenters;
}
