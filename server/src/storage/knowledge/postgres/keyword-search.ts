import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChunkHit } from '@parley/sdk/internal';
import { type RawBuilder, sql } from 'kysely';
import { termScore, termWeight, weighted } from '../../../lib/bm25.ts';
import { termsOf } from '../../../lib/search-terms/search-terms.ts';
import { bestHits } from './best-hits.ts';
import { type Allowed, allowsChunk, allowsEdition } from './chunk-filter.ts';
import { type ChunkTransaction, editionTable, tablesOf } from './chunk-tables.ts';
import type { CollectionRow } from './collections.ts';
import { readPostings } from './postings.ts';

/**
 * Postings read per query. Beyond this, common terms are scored only for the best chunks by the rarer terms, which
 * bounds the time in large collections.
 */
const defaultBudget = 200_000;
/** Postings that are read by one statement, but for those of one term. */
const postingsAtOnce = 20_000;
/** Chunks that common terms are scored for beyond the budget: a minimum, and per requested hit. */
const leastCandidates = 1000;
const candidatesForHit = 10;
/** Terms of a query that are searched; the rarest if there are more. */
const maximumTerms = 256;
/** Chunks whose pages are read at once. */
const pageBatch = 1000;

interface Term {
  term: string;
  /** How many published chunks hold it. */
  holding: number;
}

export interface KeywordSearch {
  text: string;
  limit: number;
  allowed: Allowed;
  /** Postings that are read at most; those of one term always are. */
  budget?: number | undefined;
}

/** Finds the chunks that contain terms of a text, ranked by all of them. */
export async function searchByKeywords(
  transaction: ChunkTransaction,
  collection: CollectionRow,
  { text, limit, allowed, budget = defaultBudget }: KeywordSearch,
): Promise<ChunkHit[]> {
  if (collection.chunks === 0) return [];
  const terms = await findTerms(transaction, collection, [...new Set(termsOf(text, collection.language))]);
  const scores = new Map<number, number>();
  let candidates: ReadonlySet<number> | null = null;
  let read = 0;
  for (const group of groups(terms)) {
    read += sumOf(group);
    // Which chunks are on the right pages shows only in the end.
    if (candidates === null && read > budget && scores.size >= limit && allowed.pages === null) {
      candidates = keepBest(scores, Math.max(leastCandidates, limit * candidatesForHit));
    }
    await addScores(transaction, collection, group, scores, { allowed, candidates });
    await nextTurn();
  }
  if (allowed.pages !== null) await removeOtherPages(transaction, collection, scores, limit, allowed);
  return bestHits(scores, limit);

  /**
   * Several rare terms at a time, or one common term, so that neither the database nor this thread is blocked for long.
   */
  function* groups(ranked: readonly Term[]): Generator<Term[]> {
    const most = Math.min(postingsAtOnce, budget);
    let group: Term[] = [];
    for (const term of ranked) {
      if (group.length > 0 && sumOf(group) + term.holding > most) {
        yield group;
        group = [];
      }
      group.push(term);
    }
    if (group.length > 0) yield group;
  }
}

function sumOf(terms: readonly Term[]): number {
  return terms.reduce((sum, { holding }) => sum + holding, 0);
}

/** @returns the remaining candidates */
function keepBest(scores: Map<number, number>, count: number): ReadonlySet<number> {
  const best = new Set(bestHits(scores, count).map(({ id }) => Number(id)));
  for (const chunk of scores.keys()) if (!best.has(chunk)) scores.delete(chunk);
  return best;
}

/**
 * Joins the published editions of a collection's postings. A posting is found by its term: with the plain column,
 * a database without table statistics would scan each edition.
 */
function joinPublished({ number }: CollectionRow): RawBuilder<unknown> {
  return sql`join ${editionTable} as editions on editions.number = postings.edition + 0
    and editions.collection = ${number} and editions.state = 'published'`;
}

/** @returns the rarest first */
async function findTerms(
  transaction: ChunkTransaction,
  collection: CollectionRow,
  terms: readonly string[],
): Promise<Term[]> {
  if (terms.length === 0) return [];
  const { rows } = await sql<Term>`
    select postings.term, sum(postings.chunk_count)::integer as holding
    from ${tablesOf(collection.number).postings} as postings
    ${joinPublished(collection)}
    where postings.term = any(${terms}::text[])
    group by postings.term
    order by holding, term
    limit ${maximumTerms}`.execute(transaction);
  return rows;
}

/** Adds the weight of terms to the scores of the chunks that contain them, or of the candidates only. */
async function addScores(
  transaction: ChunkTransaction,
  collection: CollectionRow,
  terms: readonly Term[],
  scores: Map<number, number>,
  { allowed, candidates }: { allowed: Allowed; candidates: ReadonlySet<number> | null },
): Promise<void> {
  const { chunks, postings } = tablesOf(collection.number);
  const ofCandidates =
    candidates === null
      ? sql`true`
      : sql`postings.edition in (select edition from ${chunks} where id = any(${[...candidates]}::integer[]))`;
  const { rows } = await sql<{ term: string; postings: Buffer }>`
    select postings.term, string_agg(postings.postings, ''::bytea) as postings
    from ${postings} as postings
    ${joinPublished(collection)}
    where postings.term = any(${terms.map(({ term }) => term)}::text[])
      and ${allowsEdition(sql`postings.edition + 0`, allowed)} and ${ofCandidates}
    group by postings.term`.execute(transaction);
  const found = new Map(rows.map((row) => [row.term, row.postings]));
  const average = averageLength(collection);
  for (const { term, holding } of terms) {
    const weight = termWeight(term, collection.chunks, holding);
    readPostings(found.get(term) ?? Buffer.alloc(0), (chunk, frequencies, lengths) => {
      if (candidates !== null && !candidates.has(chunk)) return;
      const score = termScore(weight, weighted(frequencies), weighted(lengths), average);
      scores.set(chunk, (scores.get(chunk) ?? 0) + score);
    });
  }
}

function averageLength({ chunks, title_terms, heading_terms, body_terms }: CollectionRow): number {
  const sum = weighted({ title: title_terms, headings: heading_terms, body: body_terms });
  // Above 0, even when every passage consists of common words.
  return Math.max(sum / chunks, 1);
}

/** Keeps the best chunks on allowed pages. */
async function removeOtherPages(
  transaction: ChunkTransaction,
  { number }: CollectionRow,
  scores: Map<number, number>,
  limit: number,
  allowed: Allowed,
): Promise<void> {
  const ranked = bestHits(scores, scores.size).map(({ id }) => Number(id));
  const passing = new Set<number>();
  for (let from = 0; from < ranked.length && passing.size < limit; from += pageBatch) {
    const { rows } = await sql<{ id: number }>`
      select id from ${tablesOf(number).chunks} as chunks
      where id = any(${ranked.slice(from, from + pageBatch)}::integer[]) and ${allowsChunk('chunks', allowed)}`.execute(
      transaction,
    );
    for (const { id } of rows) passing.add(id);
  }
  for (const chunk of scores.keys()) if (!passing.has(chunk)) scores.delete(chunk);
}
