/** The ranks of matches, the best first. Records that the server found by something else than the name have the last but one. */
export const ranks = { exact: 0, prefix: 1, words: 2, within: 3, other: 4, almost: 5 } as const;

/** Shortest word that may be misspelt. */
const shortestGuess = 5;

/**
 * How well a search finds a name. Misspelt words count only if they are long and without digits, and one letter is wrong:
 * a number finds no other one.
 * @param more other texts that may contain the words
 * @returns null for no match
 */
export function matchRank(search: string, name: string, more = ''): number | null {
  const wanted = normalized(search);
  const given = normalized(name);
  if (wanted === '' || given === '') return null;
  if (given === wanted) return ranks.exact;
  if (given.startsWith(wanted)) return ranks.prefix;
  const wantedWords = wordsOf(wanted);
  const words = wordsOf(given);
  if (wantedWords.length > 0 && wantedWords.every((one) => words.some((word) => word.startsWith(one)))) {
    return ranks.words;
  }
  if (given.includes(wanted)) return ranks.within;
  const all = `${given} ${normalized(more)}`;
  const parts = wanted.split(' ');
  if (parts.every((part) => all.includes(part))) return ranks.other;
  return wantedWords.length > 0 && wantedWords.every((one) => words.some((word) => isAlmost(one, word)))
    ? ranks.almost
    : null;
}

function normalized(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** Whether a word begins like another one, but for one letter that is wrong, missing, too many or swapped. */
function isAlmost(word: string, other: string): boolean {
  if (other.startsWith(word)) return true;
  if (word.length < shortestGuess || /\p{N}/u.test(word)) return false;
  let at = 0;
  while (at < word.length && word[at] === other[at]) at += 1;
  const rest = word.slice(at);
  const left = other.slice(at);
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`;
  return (
    [rest.slice(1), swapped].some((one) => left.startsWith(one)) ||
    [rest, rest.slice(1)].some((one) => left.slice(1).startsWith(one))
  );
}
