import { setImmediate as nextTurn } from 'node:timers/promises';
import { readLength } from '../../kit/patterns.ts';
import type { CompiledWords, WatchedPattern } from './compile-words.ts';

/** A part of a text, UTF-16 code units. */
interface Span {
  start: number;
  end: number;
}

/** Steps before yielding: characters read, times the size of the pattern's program. */
const stepsAtOnce = 2 ** 21;
/** How far around a cut the bounds of a character of several code units (a family of emoji, say) are searched. */
const longestCharacter = 64;

/** Created on first use: it takes 3 MB. */
let graphemes: Intl.Segmenter | undefined;

/**
 * Masks the words of a list in a streamed text. Shown text never changes: text that may still become part of a word is
 * held back. Regular expressions match the original text.
 */
export class StreamingMask {
  readonly #words: CompiledWords;
  #text = '';
  /** The state of the automaton for the text. */
  #state = 0;
  #read = 0;
  /** Where the next match of each regular expression may start. */
  #next: number[];
  /** Words found after the settled part, in any order. */
  #found: Span[] = [];
  /** How much of the text is settled, and the result. */
  #settled = 0;
  #output = '';
  /** The state of the automaton for the output: a mask must not become part of a word. */
  #outputState = 0;
  #hit: string | null = null;
  #count = 0;

  constructor(words: CompiledWords) {
    this.#words = words;
    this.#next = words.patterns.map(() => 0);
  }

  /** An entry that the text matches, as written in the list. Null when there is none. */
  get hit(): string | null {
    return this.#hit;
  }

  /** Number of masked words. */
  get count(): number {
    return this.#count;
  }

  /**
   * The start of the masked text that no longer changes.
   * @param text the complete text so far
   */
  show(text: string): string {
    this.#take(text);
    let cut = this.#findWords();
    for (const index of this.#words.patterns.keys()) cut = Math.min(cut, this.#findPattern(index, false));
    return this.#settle(characterStart(text, cut), false);
  }

  /** The masked text, which is complete. */
  finish(text: string): string {
    this.#take(text);
    this.#findWords();
    for (const index of this.#words.patterns.keys()) this.#findPattern(index, true);
    return this.#settle(text.length, true);
  }

  /** The same, letting others work in between. */
  async finishInTurns(text: string, signal: AbortSignal): Promise<string> {
    this.#take(text);
    this.#findWords();
    let steps = 0;
    for (const [index, { pattern }] of this.#words.patterns.entries()) {
      this.#findPattern(index, true);
      steps += text.length * pattern.size;
      if (steps < stepsAtOnce) continue;
      steps = 0;
      await nextTurn();
      signal.throwIfAborted();
    }
    return this.#settle(text.length, true);
  }

  /** A text that does not continue the previous one is processed from its start. */
  #take(text: string): void {
    if (!text.startsWith(this.#text)) this.#forget();
    this.#text = text;
  }

  #forget(): void {
    this.#state = 0;
    this.#read = 0;
    this.#next = this.#words.patterns.map(() => 0);
    this.#found = [];
    this.#settled = 0;
    this.#output = '';
    this.#outputState = 0;
    this.#hit = null;
    this.#count = 0;
  }

  /** @returns how much of the text contains no incomplete word */
  #findWords(): number {
    const { automaton } = this.#words;
    for (; this.#read < this.#text.length; this.#read += 1) {
      this.#state = automaton.step(this.#state, this.#text.charCodeAt(this.#read));
      const length = automaton.ending(this.#state);
      if (length === 0) continue;
      const end = this.#read + 1;
      this.#hit ??= this.#text.slice(end - length, end);
      this.#found.push({ start: end - length, end });
    }
    return this.#text.length - automaton.open(this.#state);
  }

  /** @returns how much of the text a match that is not known yet cannot reach into */
  #findPattern(index: number, isComplete: boolean): number {
    const { pattern, reach, source } = this.#words.patterns[index] as WatchedPattern;
    const window = readLength(pattern.size);
    const text = this.#text;
    let from = this.#next[index] ?? 0;
    for (let end = from; end < text.length; ) {
      end = Math.min(text.length, from + window);
      const known = text.slice(0, end);
      // More text can extend or undo a match that starts earlier.
      const isWhole = isComplete && end === text.length;
      const held = isWhole ? end : characterAgo(known, end, Math.min((reach ?? window) - 1, window >> 2));
      // A test is cheaper than a search. The character before matters for context-sensitive patterns.
      if (pattern.occurs(known.slice(characterAgo(known, from, 1)))) {
        for (const [start, stop] of pattern.find(known, from)) {
          if (start >= held && !isWhole) break;
          this.#hit ??= source;
          this.#found.push({ start, end: stop });
          from = stop;
        }
      }
      from = Math.max(from, held);
    }
    this.#next[index] = from;
    return from;
  }

  /**
   * Appends the text before the cut to the output, up to the first word whose end or mask is not determined yet.
   */
  #settle(cut: number, isComplete: boolean): string {
    const spans = joined(this.#found);
    const crossing = spans.find(({ start, end }) => start < cut && end > cut);
    const limit = crossing?.start ?? cut;
    for (const [index, span] of spans.entries()) {
      if (span.end > limit) break;
      this.#copy(span.start);
      const rest = { start: span.end, end: Math.min(limit, spans[index + 1]?.start ?? limit) };
      const mask = this.#maskOf(span, rest, isComplete || rest.end < limit);
      if (mask === null) return this.#keep(spans);
      this.#append(mask);
      this.#settled = span.end;
      this.#count += 1;
    }
    this.#copy(limit);
    return this.#keep(spans);
  }

  #keep(spans: Span[]): string {
    this.#found = spans.filter(({ end }) => end > this.#settled);
    return this.#output;
  }

  #copy(end: number): void {
    if (end <= this.#settled) return;
    this.#append(this.#text.slice(this.#settled, end));
    this.#settled = end;
  }

  #append(text: string): void {
    this.#outputState = this.#after(this.#outputState, text);
    this.#output += text;
  }

  #after(state: number, text: string): number {
    let last = state;
    for (let index = 0; index < text.length; index += 1) {
      last = this.#words.automaton.step(last, text.charCodeAt(index));
    }
    return last;
  }

  /**
   * The first mask that forms no word with the surrounding text.
   * @param rest the known text after it, up to the next word
   * @param isAll whether nothing else follows before that
   * @returns null when it depends on the following text
   */
  #maskOf(span: Span, rest: Span, isAll: boolean): string | null {
    const { mask, maskWord, safeMask } = this.#words;
    const length = [...this.#text.slice(span.start, span.end)].length;
    const masks = [maskWord, mask.repeat(length), safeMask.repeat(length)].filter((candidate) => candidate !== '');
    for (const candidate of masks.slice(0, -1)) {
      const makesWord = this.#makesWord(candidate, rest, isAll);
      if (makesWord === null) return null;
      if (!makesWord) return candidate;
    }
    return masks.at(-1) ?? '';
  }

  #makesWord(candidate: string, rest: Span, isAll: boolean): boolean | null {
    const { automaton } = this.#words;
    let state = this.#outputState;
    for (let index = 0; index < candidate.length; index += 1) {
      state = automaton.step(state, candidate.charCodeAt(index));
      if (automaton.ending(state) > 0) return true;
    }
    for (let position = rest.start; ; position += 1) {
      const behind = position - rest.start;
      if (automaton.open(state) <= behind) return false;
      if (position >= rest.end) return isAll ? false : null;
      state = automaton.step(state, this.#text.charCodeAt(position));
      if (automaton.ending(state) > behind + 1) return true;
    }
  }
}

/** Parts that overlap become one; those that only touch stay apart. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start || one.end - other.end)) {
    const last = all.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

/** Where the character starts that is `count` characters before a place. */
function characterAgo(text: string, place: number, count: number): number {
  let index = place;
  for (let left = count; left > 0 && index > 0; left -= 1) {
    index -= 1;
    if (isLow(text, index) && isHigh(text, index - 1)) index -= 1;
  }
  return index;
}

/** The last place up to `cut` that does not split a character of several code units, as far as the text is known. */
function characterStart(text: string, cut: number): number {
  if (cut <= 0) return 0;
  if (cut >= text.length) return isHigh(text, text.length - 1) ? text.length - 1 : text.length;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const from = Math.max(0, cut - longestCharacter);
  const around = graphemes.segment(text.slice(from, cut + longestCharacter)).containing(cut - from);
  return from + (around?.index ?? cut - from);
}

function isHigh(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
