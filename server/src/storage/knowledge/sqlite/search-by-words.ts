import type { ChunkHit } from '@parley/sdk';
import { type FieldCounts, highestTermScore, termScore, termWeight, weighted } from '../../../lib/bm25.ts';
import { highest } from './best.ts';
import type { Allowed, ChunkTable } from './chunk-table.ts';
import type { KnowledgeFile } from './knowledge-file.ts';

/** How much is read for one search; what goes beyond is estimated as {@link searchByWords} says. */
export interface WordBudget {
  /** Places of words that are read, one of the rarest words excepted. */
  postings: number;
  /** Collections with no more chunks are always read completely. */
  smallCollection: number;
  /** Chunks that are scored by the commoner words. */
  candidates: number;
}

export const usualWordBudget: WordBudget = { postings: 20_000, smallCollection: 5000, candidates: 400 };

/** The rarest word is read up to here, however common it is. */
const postingsOfOne = 100_000;

interface Term {
  term: string;
  /** Chunks that hold it and places where it stands, as the full text has them: with what is hidden and not yet purged. */
  holding: number;
  postings: number;
}

interface Postings {
  term: string;
  slots: number[];
  frequencies: number[];
  /** Chunks that are published and hold it. */
  holding: number;
}

/**
 * Ranks chunks by the words of a question with BM25.
 *
 * Exact when the words stand in few places, and always in small collections. Otherwise the rarest words settle which
 * chunks come into question, and the commoner ones are counted in the best of these only. That is still exact as long
 * as the commoner words together could not lift another chunk over the last one that is found, which is the rule for
 * words like "company": a common word weighs little.
 * @param number of the collection
 * @param terms of the question
 */
export function searchByWords(
  file: KnowledgeFile,
  number: number,
  table: ChunkTable,
  terms: readonly string[],
  allowed: Allowed,
  limit: number,
  budget: WordBudget,
): ChunkHit[] {
  if (limit <= 0 || table.visibleCount === 0) return [];
  const reader = new PostingReader(file, number, table);
  const known = [...new Set(terms)].flatMap((term) => reader.lookUp(term) ?? []);
  known.sort((one, other) => one.holding - other.holding);
  const score = new Scores(table, allowed);
  const rest: Term[] = [];
  const isSmall = table.count <= budget.smallCollection;
  let left = isSmall ? Number.POSITIVE_INFINITY : budget.postings;
  for (const [index, term] of known.entries()) {
    // Words are read from the rarest on; after the first that is too common, all are.
    if (rest.length > 0 || (index > 0 && term.postings > left)) {
      rest.push(term);
      continue;
    }
    score.add(reader.read(term, isSmall ? term.postings : postingsOfOne));
    left -= term.postings;
  }
  // Too few hold a rare word: the first chunks with the next word are better than none.
  while (rest[0] !== undefined && score.count < limit && left > 0) {
    const term = rest.shift() as Term;
    score.add(reader.read(term, left));
    left -= term.postings;
  }
  const { slots, scores } = score.all();
  const best =
    rest.length === 0 ? highest(scores, limit) : withCommonTerms(reader, slots, scores, rest, limit, budget.candidates);
  return best.map((place) => ({ id: String(table.idOf(slots[place] as number)), score: scores[place] as number }));
}

/** Adds what common words count to the scores of the candidates, and takes the best. */
function withCommonTerms(
  reader: PostingReader,
  slots: readonly number[],
  scores: Float64Array,
  rest: readonly Term[],
  limit: number,
  candidates: number,
): number[] {
  const weights = new Map(rest.map((term) => [term.term, reader.weightOf(term)]));
  const atMost = [...weights.values()].reduce((sum, weight) => sum + highestTermScore(weight), 0);
  const before = scores.slice();
  const byRare = highest(before, Math.max(candidates, limit * 2));
  const last = before[byRare[Math.min(limit, byRare.length) - 1] ?? 0] ?? 0;
  // What could not get among the best with all of them need not be read.
  const reachable = byRare.filter((place) => (before[place] as number) + atMost >= last);
  for (const place of reachable) {
    scores[place] = (before[place] as number) + reader.scoreOf(slots[place] as number, weights);
  }
  const order = highest(
    Float64Array.from(reachable, (place) => scores[place] as number),
    limit,
  );
  return order.map((index) => reachable[index] as number);
}

/** Sums scores of chunks. */
class Scores {
  readonly #table: ChunkTable;
  readonly #allowed: Allowed;
  readonly #scores: Float64Array;
  readonly #slots: number[] = [];

  constructor(table: ChunkTable, allowed: Allowed) {
    this.#table = table;
    this.#allowed = allowed;
    this.#scores = new Float64Array(table.count);
  }

  get count(): number {
    return this.#slots.length;
  }

  add({ term, slots, frequencies, holding }: Postings): void {
    const table = this.#table;
    const weight = termWeight(term, table.visibleCount, holding);
    const average = averageLength(table);
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number;
      if (!table.isAllowed(slot, this.#allowed)) continue;
      if (this.#scores[slot] === 0) this.#slots.push(slot);
      const added = termScore(weight, frequencies[index] as number, table.lengthOf(slot), average);
      this.#scores[slot] = (this.#scores[slot] as number) + added;
    }
  }

  /** In the order of their ids. */
  all(): { slots: number[]; scores: Float64Array } {
    const slots = this.#slots.sort((one, other) => one - other);
    return { slots, scores: Float64Array.from(slots, (slot) => this.#scores[slot] as number) };
  }
}

/** Reads where words stand from the full text of a collection. */
class PostingReader {
  readonly #file: KnowledgeFile;
  readonly #number: number;
  readonly #table: ChunkTable;

  constructor(file: KnowledgeFile, number: number, table: ChunkTable) {
    this.#file = file;
    this.#number = number;
    this.#table = table;
  }

  lookUp(term: string): Term | null {
    const row = this.#file.get<[number, number]>(`select doc, cnt from terms_${this.#number}_row where term = ?`, term);
    return row === undefined ? null : { term, holding: row[0], postings: row[1] };
  }

  /** Chunks that are published and hold a term, in the order of their ids. */
  read({ term, holding, postings }: Term, limit: number): Postings {
    const table = this.#table;
    const result: Postings = { term, slots: [], frequencies: [], holding: 0 };
    const rows = this.#file.all<[number, string]>(
      `select doc, col from terms_${this.#number}_instance where term = ? limit ?`,
      term,
      limit,
    );
    let id = -1;
    let from = 0;
    const counts: FieldCounts = { title: 0, headings: 0, body: 0 };
    const put = () => {
      const slot = id === -1 ? -1 : table.slotOf(id, from);
      if (slot !== -1) from = slot;
      if (slot !== -1 && table.isVisible(slot)) {
        result.slots.push(slot);
        result.frequencies.push(weighted(counts));
      }
      counts.title = counts.headings = counts.body = 0;
    };
    for (const [found, column] of rows) {
      if (found !== id) {
        put();
        id = found;
      }
      counts[column as keyof FieldCounts] += 1;
    }
    put();
    result.holding = postings <= limit ? result.slots.length : Math.min(holding, table.visibleCount);
    return result;
  }

  weightOf({ term, holding }: Term): number {
    const { visibleCount } = this.#table;
    return termWeight(term, visibleCount, Math.min(holding, visibleCount));
  }

  /** What terms add to the score of a chunk, from the terms that are stored with it. */
  scoreOf(slot: number, weights: ReadonlyMap<string, number>): number {
    const row = this.#file.get<[string, string, string]>(
      `select title, headings, body from terms_${this.#number} where rowid = ?`,
      this.#table.idOf(slot),
    );
    if (row === undefined) return 0;
    const counts = new Map<string, FieldCounts>();
    for (const [index, field] of (['title', 'headings', 'body'] as const).entries()) {
      for (const term of (row[index] as string).split(' ')) {
        if (!weights.has(term)) continue;
        let count = counts.get(term);
        if (count === undefined) {
          count = { title: 0, headings: 0, body: 0 };
          counts.set(term, count);
        }
        count[field] += 1;
      }
    }
    const length = this.#table.lengthOf(slot);
    const average = averageLength(this.#table);
    let sum = 0;
    for (const [term, count] of counts) {
      sum += termScore(weights.get(term) as number, weighted(count), length, average);
    }
    return sum;
  }
}

function averageLength(table: ChunkTable): number {
  // Above 0, even when every passage is of common words only, which are left out.
  return table.visibleLength / table.visibleCount || 1;
}
