import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RE2JS } from 're2js';
import { fromPythonPattern } from '../lib/python-pattern.ts';
import { type MatchLengths, matchLengths } from './match-lengths.ts';

/** Most of a text that a pattern reads, UTF-16 code units. */
const longestText = 65_536;
/** Steps that one look at a text may take: characters read, times the size of the pattern's program. */
const mostSteps = 2 ** 23;
/** Instructions that the program of one pattern may have. A plain word has one for each letter. */
const largestProgram = 5000;
/** Instructions that are kept of all patterns together; each pattern counts for at least `smallestShare`. */
const keptInstructions = 250_000;
const smallestShare = 50;
/** Characters of what the engine says, which may repeat the whole pattern. */
const longestFault = 200;

/**
 * A regular expression that somebody wrote into a configuration. Looking for it takes a time in proportion to the text,
 * whatever the pattern: the engine never goes back. It reads the first {@link readLength} of a text.
 */
export interface Pattern {
  /** Instructions of its program: how long a step takes. */
  size: number;
  /** Whether the text has a match at its start. */
  begins(text: string): boolean;
  /** Whether the text has a match anywhere. */
  occurs(text: string): boolean;
  /**
   * The matches in a text from left to right, as start and end; none overlaps another, none is empty. Each takes a time
   * in proportion to the rest of the text, so whoever asks for many bounds the text or the number.
   * @param from where the first may begin, in UTF-16 code units; {@link readLength} counts from there
   */
  find(text: string, from?: number): Generator<readonly [start: number, end: number]>;
  /** How long its matches can be, looking no further than so many characters. */
  lengths(bound: number): MatchLengths;
}

/** What was found out when a text was held against a list of patterns. */
export interface PatternSearch {
  /** The first pattern of the list that matches, as it was written; null when none does. */
  matched: string | null;
  /** Patterns that came before and cannot be used. */
  invalid: string[];
}

interface Opened {
  pattern: Pattern | null;
  /** Why it cannot be used; empty when it can. */
  fault: string;
  share: number;
}

/** How much of a text a pattern of a size reads, UTF-16 code units. */
export function readLength(size: number): number {
  return Math.min(longestText, Math.floor(mostSteps / size));
}

/**
 * Regular expressions of configurations, written as Python or RE2 writes them. Those that were used last stay compiled.
 * The engine is loaded at the first use.
 */
export class Patterns {
  readonly #capacity: number;
  readonly #opened = new Map<string, Opened>();
  #kept = 0;

  /** @param capacity how many instructions are kept */
  constructor(capacity = keptInstructions) {
    this.#capacity = capacity;
  }

  /** @returns null when it cannot be used; an empty pattern cannot either, as it says nothing */
  async open(source: string): Promise<Pattern | null> {
    return source === '' ? null : (await this.#open(source)).pattern;
  }

  /** @returns what is wrong with a pattern, for whoever wrote it; null when it can be used or is empty */
  async faultOf(source: string): Promise<string | null> {
    return source === '' ? null : (await this.#open(source)).fault || null;
  }

  /**
   * Looks for the first of some patterns that a text has a match for, and lets others work in between.
   * @param where a match anywhere, or at the start of the text
   * @throws what the signal was aborted with
   */
  async search(
    sources: readonly string[],
    text: string,
    where: 'begins' | 'occurs',
    signal: AbortSignal,
  ): Promise<PatternSearch> {
    const invalid: string[] = [];
    let steps = 0;
    for (const source of sources) {
      signal.throwIfAborted();
      if (source === '') continue;
      const pattern = await this.open(source);
      if (pattern === null) {
        invalid.push(source);
        continue;
      }
      if (steps > mostSteps) {
        await nextTurn();
        signal.throwIfAborted();
        steps = 0;
      }
      if (pattern[where](text)) return { matched: source, invalid };
      steps += Math.min(text.length, readLength(pattern.size)) * pattern.size;
    }
    return { matched: null, invalid };
  }

  async #open(source: string): Promise<Opened> {
    return this.#recall(source) ?? (await this.#compile(source));
  }

  /** What was used last goes to the end: what is dropped is taken from the beginning. */
  #recall(source: string): Opened | undefined {
    const known = this.#opened.get(source);
    if (known === undefined) return undefined;
    this.#opened.delete(source);
    this.#opened.set(source, known);
    return known;
  }

  async #compile(source: string): Promise<Opened> {
    // A large one takes a while; where there are many in a row, others work in between.
    await nextTurn();
    const { RE2JS } = await import('re2js');
    const meanwhile = this.#recall(source);
    if (meanwhile !== undefined) return meanwhile;
    const opened = compile(RE2JS, source);
    this.#opened.set(source, opened);
    this.#kept += opened.share;
    for (const [oldest, { share }] of this.#opened) {
      if (this.#kept <= this.#capacity) break;
      this.#opened.delete(oldest);
      this.#kept -= share;
    }
    return opened;
  }
}

function compile(engine: typeof RE2JS, source: string): Opened {
  const written = fromPythonPattern(source);
  const share = Math.max(smallestShare, source.length);
  try {
    const anywhere = engine.compile(written);
    const size = anywhere.programSize();
    if (size > largestProgram) {
      return { pattern: null, fault: `is too large: ${size} instructions of at most ${largestProgram}`, share };
    }
    // Asking whether a text matches from its start is many times slower where the pattern does not say so itself.
    const atStart = engine.compile(`\\A(?:${written})`);
    return { pattern: patternOf(size, anywhere, atStart), fault: '', share: Math.max(share, 2 * size) };
  } catch (error) {
    return { pattern: null, fault: faultIn(error), share };
  }
}

function patternOf(size: number, anywhere: RE2JS, atStart: RE2JS): Pattern {
  const read = (text: string) => text.slice(0, readLength(size));
  return {
    size,
    begins: (text) => atStart.test(read(text)),
    occurs: (text) => anywhere.test(read(text)),
    *find(text, from = 0) {
      const matcher = anywhere.matcher(text.slice(0, from + readLength(size)));
      for (let found = matcher.find(from); found; found = matcher.find()) {
        if (matcher.end() > matcher.start()) yield [matcher.start(), matcher.end()];
      }
    },
    lengths: (bound) => matchLengths(anywhere, bound),
  };
}

function faultIn(error: unknown): string {
  const message = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
  const shown = message.length > longestFault ? `${message.slice(0, longestFault)}…` : message;
  return `cannot be used as a regular expression: ${shown}. Look-around and back-references are not possible.`;
}
