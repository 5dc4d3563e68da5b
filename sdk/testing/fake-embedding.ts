const dimensions = 64;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text in lower case, in order; scripts without spaces are segmented, too. */
export function wordsOf(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment.toLowerCase()] : []));
}

/**
 * A deterministic vector of length 1 that depends only on the words of a text: texts that share words are more similar
 * than others.
 */
export function fakeEmbedding(text: string): Float32Array {
  const vector = new Float32Array(dimensions).fill(0.01);
  for (const word of wordsOf(text)) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
