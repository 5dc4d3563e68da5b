import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RE2JS } from 're2js';
import { fromPythonPattern } from '../lib/python-pattern.ts';
import { type MatchLengths, matchLengths } from './match-lengths.ts';

/** Most of a text that a pattern reads, UTF-16 code units. */
const longestText = 65_536;
/** Maximum steps of one match: characters read, times the size of the pattern's program. */
const mostSteps = 2 ** 23;
/** Instructions that the program of one pattern may have. A plain word has one for each letter. */
const largestProgram = 5000;
/** Total instructions of cached patterns; each pattern counts for at least `smallestShare`. */
const defaultCapacity = 250_000;
const smallestShare = 50;
/** Maximum length of the engine's error, which may repeat the whole pattern, characters. */
const longestFault = 200;

/**
 * A regular expression from a configuration. Matching takes linear time for any pattern: the engine does not backtrack.
 * It reads the first {@link readLength} of a text.
 */
export interface Pattern {
  /** Instructions of its program: how long a step takes. */
  size: number;
  /** Whether the text has a match at its start. */
  begins(text: string): boolean;
  /** Whether the text has a match anywhere. */
  occurs(text: string): boolean;
  /**
   * The non-empty, non-overlapping matches in a text from left to right, as start and end. Each takes time linear in
   * the rest of the text, so limit the text or the number of matches.
   * @param from where the first may start, in UTF-16 code units; {@link readLength} counts from there
   */
  find(text: string, from?: number): Generator<readonly [start: number, end: number]>;
  /** How long its matches can be, looking no further than so many characters. */
  lengths(bound: number): MatchLengths;
}

/** The result of matching a text against a list of patterns. */
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
  #size = 0;

  /** @param capacity total instructions of cached patterns */
  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** @returns null when it is invalid or empty */
  async open(source: string): Promise<Pattern | null> {
    return source === '' ? null : (await this.#open(source)).pattern;
  }

  /** @returns the error of a pattern, for its author; null when it is valid or empty */
  async faultOf(source: string): Promise<string | null> {
    return source === '' ? null : (await this.#open(source)).fault || null;
  }

  /**
   * Finds the first of some patterns that matches a text; yields to other work between patterns.
   * @param where a match anywhere, or at the start of the text
   * @throws the signal's reason
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

  /** Moves the entry to the end: eviction starts at the beginning. */
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
    this.#size += opened.share;
    for (const [oldest, { share }] of this.#opened) {
      if (this.#size <= this.#capacity) break;
      this.#opened.delete(oldest);
      this.#size -= share;
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
    // Anchoring the match is many times slower unless the pattern itself is anchored.
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
