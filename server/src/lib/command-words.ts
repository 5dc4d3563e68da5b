/** A word of a command line. */
export interface CommandWord {
  text: string;
  /** Whether some of it was quoted. */
  isQuoted: boolean;
}

/**
 * Splits a command line into words: they are separated by white space, and the content of `'…'` or `"…"` is literal.
 * Nothing else has a meaning: no variables, no backslashes.
 * @returns null when a quotation mark is not closed
 */
export function wordsOf(line: string): CommandWord[] | null {
  const words: CommandWord[] = [];
  let word: CommandWord | null = null;
  let mark: string | null = null;
  for (const character of line) {
    if (mark === null && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word ??= { text: '', isQuoted: false };
    if (character === mark) mark = null;
    else if (mark === null && (character === "'" || character === '"')) {
      mark = character;
      word.isQuoted = true;
    } else word.text += character;
  }
  if (mark !== null) return null;
  return word === null ? words : [...words, word];
}
