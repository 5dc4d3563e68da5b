import { createStemmer, type IsoCode } from 'multilingual-stemmer';
import type { RetrievalCollection } from './retrieval-collection.ts';

const k1 = 1.2;
const b = 0.75;

/**
 * The rankings of a plain BM25, for comparison: whole documents, words stemmed by Snowball where it knows the language,
 * no stop words, nothing else. Written apart from the product's own ranking.
 * @param language ISO 639-1
 * @returns ids of the best ten documents by query, best first
 */
export function plainRankings(
  { documents, queries, grades }: RetrievalCollection,
  language: string,
): Map<string, string[]> {
  const termsOf = analysis(language);
  const indexed = documents.map(({ id, title, text }) => {
    const terms = termsOf(`${title}\n${text}`);
    return { id, length: terms.length, counts: counted(terms) };
  });
  const average = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const holding = counted(indexed.flatMap(({ counts }) => [...counts.keys()]));
  const rarity = (term: string) => {
    const held = holding.get(term) ?? 0;
    return Math.log(1 + (indexed.length - held + 0.5) / (held + 0.5));
  };
  const rankings = queries
    .filter(({ id }) => grades.has(id))
    .map(({ id, text }): [string, string[]] => {
      const terms = new Set(termsOf(text));
      const scored = indexed.map(({ id: document, length, counts }) => {
        let score = 0;
        for (const term of terms) {
          const frequency = counts.get(term) ?? 0;
          const norm = k1 * (1 - b + (b * length) / average);
          score += (rarity(term) * frequency * (k1 + 1)) / (frequency + norm);
        }
        return { document, score };
      });
      const best = scored.filter(({ score }) => score > 0).toSorted((left, right) => right.score - left.score);
      return [id, best.slice(0, 10).map(({ document }) => document)];
    });
  return new Map(rankings);
}

function analysis(language: string): (text: string) => string[] {
  const words = new Intl.Segmenter(language, { granularity: 'word' });
  const stem = stemmerOf(language);
  return (text) =>
    [...words.segment(text.normalize('NFC').toLocaleLowerCase(language))]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => stem(segment));
}

/** Words of a language that Snowball does not know stay as they are. */
function stemmerOf(language: string): (word: string) => string {
  try {
    return createStemmer(language as IsoCode);
  } catch {
    return (word) => word;
  }
}

function counted(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
