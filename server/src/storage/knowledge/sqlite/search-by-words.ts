import type { ChunkHit } from '@parley/sdk/internal';
import { type FieldCounts, highestTermScore, termScore, termWeight, weighted } from '../../../lib/bm25.ts';
import { highest } from './best.ts';
import type { WordBudget } from './chunk-database-options.ts';
import type { Allowed, ChunkTable } from './chunk-table.ts';
import type { KnowledgeFile } from './knowledge-file.ts';

// Indexes are below the lengths: with `as number`, reads of arrays cost no check.

/** The rarest word is read up to here, however common it is. */
const postingsOfOne = 100_000;

interface Term {
  term: string;
  /**
   * Chunks that contain the term and its occurrences, as in the full-text index: including hidden ones not yet purged.
   */
  holding: number;
  postings: number;
}

/** Terms that are more common than this are remembered, since counting them takes long. */
const commonTerm = 1000;
const rememberedTerms = 2000;

/** How common the common terms of a large collection are, which changes little from one chunk to the next. */
export class TermFrequencies {
  readonly #terms = new Map<string, Term>();
  #countedWith = 0;

  /** @param chunks current number; when it has changed by 2 %, all terms are counted again */
  get(term: string, chunks: number): Term | undefined {
    if (Math.abs(chunks - this.#countedWith) * 50 > chunks) {
      this.#terms.clear();
      this.#countedWith = chunks;
    }
    return this.#terms.get(term);
  }

  set(term: Term): void {
    if (term.holding < commonTerm) return;
    if (this.#terms.size >= rememberedTerms) this.#terms.clear();
    this.#terms.set(term.term, term);
  }
}

interface Postings {
  term: string;
  slots: number[];
  frequencies: number[];
  /** Chunks that are published and hold it. */
  holding: number;
}

/**
 * Ranks chunks by the terms of a query with BM25.
 *
 * Exact when the terms are rare, and always in small collections. Otherwise the rarest terms determine the candidates,
 * and the more common ones are counted only in the best of these. That is still exact as long as the common terms
 * together could not lift another chunk over the last result, which is the rule for terms like "company": a common
 * term has a low weight.
 * @param number of the collection
 * @param terms of the query
 */
export function searchByWords(
  file: KnowledgeFile,
  number: number,
  table: ChunkTable,
  terms: readonly string[],
  allowed: Allowed,
  limit: number,
  budget: WordBudget,
  frequencies: TermFrequencies,
): ChunkHit[] {
  if (limit <= 0 || table.visibleCount === 0) return [];
  const isSmall = table.count <= budget.smallCollection;
  const reader = new PostingReader(file, number, table, isSmall ? null : frequencies);
  const known = [...new Set(terms)].flatMap((term) => reader.lookUp(term) ?? []);
  known.sort((one, other) => one.holding - other.holding);
  const score = new Scores(table, allowed);
  const rest: Term[] = [];
  let left = isSmall ? Number.POSITIVE_INFINITY : budget.postings;
  for (const [index, term] of known.entries()) {
    // Terms are read from the rarest on; all after the first that is too common count as common.
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

/**
 * Adds the weight of common terms to the scores of the candidates and selects the best.
 * @returns slots, the best first
 */
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
  const best = new BestScores(limit);
  const scored: number[] = [];
  for (const place of highest(scores, Math.max(candidates, limit * 2))) {
    const score = scores[place] as number;
    // Neither this nor a later one could get among the best with all common terms.
    if (score + atMost < best.least) break;
    scores[place] = score + reader.scoreOf(slots[place] as number, weights);
    best.add(scores[place] as number);
    scored.push(place);
  }
  const order = highest(
    Float64Array.from(scored, (place) => scores[place] as number),
    limit,
  );
  return order.map((index) => scored[index] as number);
}

/** Knows the least of so many highest scores. */
class BestScores {
  readonly #limit: number;
  /** Ascending. */
  readonly #scores: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The score needed to be among them. */
  get least(): number {
    return this.#scores.length < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number);
  }

  add(score: number): void {
    if (score < this.least) return;
    let at = this.#scores.length;
    while (at > 0 && (this.#scores[at - 1] as number) > score) at -= 1;
    this.#scores.splice(at, 0, score);
    if (this.#scores.length > this.#limit) this.#scores.shift();
  }
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

/** Reads postings from the full-text index of a collection. */
class PostingReader {
  readonly #file: KnowledgeFile;
  readonly #number: number;
  readonly #table: ChunkTable;
  readonly #frequencies: TermFrequencies | null;

  /** @param frequencies null to count everything again */
  constructor(file: KnowledgeFile, number: number, table: ChunkTable, frequencies: TermFrequencies | null) {
    this.#file = file;
    this.#number = number;
    this.#table = table;
    this.#frequencies = frequencies;
  }

  /** @returns null for a term that stands nowhere */
  lookUp(term: string): Term | null {
    const counted = this.#frequencies?.get(term, this.#table.count);
    if (counted !== undefined) return counted;
    const row = this.#file.get<[number, number]>(`select doc, cnt from terms_${this.#number}_row where term = ?`, term);
    if (row === undefined) return null;
    const found = { term, holding: row[0], postings: row[1] };
    this.#frequencies?.set(found);
    return found;
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

  /** The score that terms add to a chunk, from its stored terms. */
  scoreOf(slot: number, weights: ReadonlyMap<string, number>): number {
    // The full text's own table, which is read faster than through it: the columns in their order.
    const row = this.#file.get<[string, string, string]>(
      `select c0, c1, c2 from terms_${this.#number}_content where id = ?`,
      this.#table.idOf(slot),
    );
    if (row === undefined) return 0;
    const [title, headings, body] = row.map((terms) => ` ${terms} `) as [string, string, string];
    const length = this.#table.lengthOf(slot);
    const average = averageLength(this.#table);
    let sum = 0;
    for (const [term, weight] of weights) {
      const word = ` ${term} `;
      const frequency = weighted({
        title: countOf(word, title),
        headings: countOf(word, headings),
        body: countOf(word, body),
      });
      if (frequency > 0) sum += termScore(weight, frequency, length, average);
    }
    return sum;
  }
}

/** Occurrences of a word in a text; both start and end with a space, which adjacent words share. */
function countOf(word: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length - 1)) count += 1;
  return count;
}

function averageLength(table: ChunkTable): number {
  // Above 0, even when every passage consists of common words.
  return table.visibleLength / table.visibleCount || 1;
}
