/** A part of a text, and whether it matches the query. */
export interface MarkedPiece {
  text: string;
  isMarked: boolean;
}

/** Typical length of endings that differ between forms of a word. */
const longestEnding = 3;
const shortestStem = 4;
/** Shorter words of scripts with spaces are mostly articles and the like, which would be marked everywhere. */
const shortestWord = 3;
/** Longer stop words, in languages with stemming that have many. */
const functionWords = new Set(
  (
    'the and for are was were has have had who whom how why what when where which does did can could will would should ' +
    'that this these those with from into about there their they you your not but any all our its his her ' +
    'der die das den dem des ein eine einer einen und oder ist sind war wer wie was wann wird mit von für auf nicht ' +
    'les des une est sont qui que quoi dans pour avec sur pas comment quand los las una con por para qué cuándo cómo'
  ).split(' '),
);

const isIdeographic = (word: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
const folded = (text: string) => text.normalize('NFKC').toLocaleLowerCase();

/** Splits a text and marks the words of a query in it, including other forms. */
export function markWords(text: string, question: string): MarkedPiece[] {
  const asked = wordsOf(question);
  const pieces: MarkedPiece[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    const isMarked = isWordLike === true && isAsked(folded(segment), asked);
    const last = pieces.at(-1);
    if (last?.isMarked === isMarked && !isMarked) last.text += segment;
    else pieces.push({ text: segment, isMarked });
  }
  return pieces;
}

function wordsOf(question: string): string[] {
  const all = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(question)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => folded(segment));
  const telling = all.filter(
    (word) => (word.length >= shortestWord && !functionWords.has(word)) || isIdeographic(word) || /\d/.test(word),
  );
  return telling.length === 0 ? all : telling;
}

function isAsked(word: string, asked: readonly string[]): boolean {
  return asked.some((one) => {
    if (one === word) return true;
    if (isIdeographic(word)) return false;
    const shared = sharedStart(one, word);
    return shared >= shortestStem && Math.max(one.length, word.length) - shared <= longestEnding;
  });
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
