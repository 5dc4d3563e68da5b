import { type Language, stemmingFor } from './stemming.ts';

/** Letters, numbers and their marks that stand together. */
const runs = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Scripts in which two neighbouring characters carry meaning, whatever the words are. */
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
/** Longer texts are no words: a key, an image in base64. Two with the same start count as equal. */
const maximumTermLength = 64;
/** Prefix of a pair of characters, which distinguishes it from a word of two characters. */
const pairMark = '_';

const words = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * The search terms of a text, in order, repeats included: stems of words; for scripts without spaces, words and each
 * two neighbouring characters, since users and dictionaries split words differently. A term has letters, numbers and
 * marks only, except that a pair starts with `_`.
 */
export function termsOf(text: string, language: Language): string[] {
  const { stem } = stemmingFor(language);
  const terms: string[] = [];
  const add = (word: string) => {
    const term = stem(word.length > maximumTermLength ? [...word].slice(0, maximumTermLength).join('') : word);
    if (term !== null && term !== '') terms.push(term);
  };
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(runs)) {
    if (!unspaced.test(run)) {
      add(run);
      continue;
    }
    for (const { segment, isWordLike } of words.segment(run)) {
      if (!isWordLike) continue;
      if (unspaced.test(segment)) terms.push(segment);
      else add(segment);
    }
    for (const [characters] of run.matchAll(ideographs)) addPairs(characters, terms);
  }
  return terms;
}

function addPairs(characters: string, terms: string[]): void {
  let previous = '';
  for (const character of characters) {
    if (previous !== '') terms.push(`${pairMark}${previous}${character}`);
    previous = character;
  }
}

/** Whether a term is a pair of characters and no word. */
export function isPair(term: string): boolean {
  return term.startsWith(pairMark);
}
