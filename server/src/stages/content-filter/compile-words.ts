import { type ErrorDetail, invalidFields } from '@parley/sdk';
import { type Pattern, Patterns } from '../../kit/patterns.ts';
import { WordAutomaton } from '../../lib/word-automaton.ts';

/** Sensitive words, and their replacement. */
export interface SensitiveWordList {
  /** Each is a plain word, or a regular expression when it has a character that means something there. */
  words: readonly string[];
  /** Replaces each character of a word. Not empty. */
  mask: string;
  /** Replaces the whole word unless it is empty. */
  mask_word: string;
}

/** A regular expression of the list. */
export interface WatchedPattern {
  source: string;
  pattern: Pattern;
  /**
   * Maximum length of a match in characters, plus the following one when that matters; null when an answer cannot be
   * held back that long.
   */
  reach: number | null;
}

/** The list, ready to look for. */
export interface CompiledWords {
  automaton: WordAutomaton;
  patterns: readonly WatchedPattern[];
  mask: string;
  maskWord: string;
  /** A character that is in no plain word. */
  safeMask: string;
}

/** Longest match of an entry for which a streamed answer is held back, characters. */
const longestHeldBack = 200;
/** Most regular expressions: each is looked for by itself. */
const mostPatterns = 500;
/** Largest programs of all regular expressions together. */
const mostInstructions = 100_000;
const mostFaults = 20;

const meaningful = /[\\.+*?()[\]{}^$|]/;

/**
 * @param path of the words in a request, for errors
 * @throws ParleyError `invalid_request` with the index of each invalid entry, at most 20
 */
export async function compileWords(
  { words, mask, mask_word }: SensitiveWordList,
  path = 'words',
): Promise<CompiledWords> {
  const faults: ErrorDetail[] = [];
  const plain: string[] = [];
  const watched: WatchedPattern[] = [];
  const opened = new Patterns();
  let instructions = 0;
  for (const [index, source] of words.entries()) {
    if (faults.length >= mostFaults) break;
    const fault = (rule: string, message: string, limit?: number) =>
      faults.push({ path: `${path}[${index}]`, message, rule, ...(limit === undefined ? {} : { limit }) });
    if (source === '') fault('required', 'must not be empty');
    else if (!source.isWellFormed()) fault('characters', 'contains half of a surrogate pair');
    else if (!meaningful.test(source)) plain.push(source);
    else if (watched.length >= mostPatterns) {
      fault('patternCount', `exceeds the limit of ${mostPatterns} regular expressions`, mostPatterns);
    } else {
      const pattern = await opened.open(source);
      if (pattern === null) fault('regex', (await opened.faultOf(source)) ?? 'cannot be used');
      else if (pattern.lengths(0).shortest === 0) fault('emptyMatch', 'matches where there is nothing');
      else if (instructions + pattern.size > mostInstructions) {
        fault('patternSize', 'exceeds the total size of regular expressions');
      } else {
        instructions += pattern.size;
        watched.push({ source, pattern, reach: reachOf(pattern) });
      }
    }
  }
  if (faults.length > 0) throw invalidFields(faults);
  return {
    automaton: await WordAutomaton.of(plain),
    patterns: watched,
    mask,
    maskWord: mask_word,
    safeMask: unusedCharacter(plain),
  };
}

/** Whether an answer must be checked as a whole. */
export function needsWholeText({ patterns }: CompiledWords): boolean {
  return patterns.some(({ reach }) => reach === null);
}

function reachOf(pattern: Pattern): number | null {
  const { longest, looksAround } = pattern.lengths(longestHeldBack);
  return longest === null ? null : longest + (looksAround ? 1 : 0);
}

/** One of the blocks and shapes of Unicode, of which there are two hundred. */
function unusedCharacter(words: readonly string[]): string {
  const shapes = Array.from({ length: 0x25ff - 0x2588 }, (_, index) => String.fromCharCode(0x2588 + index));
  return ['*', ...shapes].find((shape) => !words.some((word) => word.includes(shape))) ?? '*';
}
