import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChunkHit } from '@parley/sdk';
import { sql } from 'kysely';
import { type FieldCounts, termScore, termWeight, weighted } from '../../../lib/bm25.ts';
import { termsOf } from '../../../lib/search-terms/search-terms.ts';
import { bestHits } from './best-hits.ts';
import { type Allowed, allowsChunk, allowsEdition } from './chunk-filter.ts';
import { type ChunkTransaction, editionTable, tablesOf } from './chunk-tables.ts';
import type { CollectionRow } from './collections.ts';
import { readPostings } from './postings.ts';

/** What is read of the postings of one question. Whoever asks with more, in a large collection, has the common words
 * counted only for the best chunks by the rare ones. */
const usualBudget = 200_000;
/** Chunks that common words are counted for beyond the budget, at least, and for each hit that is wanted. */
const leastCandidates = 1000;
const candidatesForHit = 10;
/** Words of a question that are looked for; the rarest, when it has more. */
const maximumTerms = 256;
/** Chunks whose pages are asked for at once. */
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
  budget?: number;
}

/** Finds the chunks that hold words of a text, ranked by all of them. */
export async function searchByKeywords(
  transaction: ChunkTransaction,
  collection: CollectionRow,
  { text, limit, allowed, budget = usualBudget }: KeywordSearch,
): Promise<ChunkHit[]> {
  if (collection.chunks === 0) return [];
  const terms = await findTerms(transaction, collection, [...new Set(termsOf(text, collection.language))]);
  const { within, beyond } = divide(terms, budget);
  const scores = new Map<number, number>();
  await addScores(transaction, collection, within, scores, { allowed });
  if (beyond.length > 0 && scores.size > 0) {
    const best = bestHits(scores, Math.max(leastCandidates, limit * candidatesForHit));
    const candidates = new Set(best.map(({ id }) => Number(id)));
    for (const chunk of scores.keys()) if (!candidates.has(chunk)) scores.delete(chunk);
    await addScores(transaction, collection, beyond, scores, { allowed, candidates });
  }
  if (allowed.pages !== null) await removeOtherPages(transaction, collection, scores, limit, allowed);
  return bestHits(scores, limit);
}

/** @returns the rarest first */
async function findTerms(
  transaction: ChunkTransaction,
  { number }: CollectionRow,
  terms: readonly string[],
): Promise<Term[]> {
  if (terms.length === 0) return [];
  const { rows } = await sql<Term>`
    select postings.term, sum(postings.chunk_count)::integer as holding
    from ${tablesOf(number).postings} as postings
    join ${editionTable} as editions on editions.number = postings.edition and editions.state = 'published'
    where postings.term = any(${terms}::text[])
    group by postings.term
    order by holding, term
    limit ${maximumTerms}`.execute(transaction);
  return rows;
}

function divide(terms: readonly Term[], budget: number): { within: Term[]; beyond: Term[] } {
  let sum = 0;
  const count = terms.findIndex(({ holding }, index) => {
    sum += holding;
    return index > 0 && sum > budget;
  });
  return count === -1
    ? { within: [...terms], beyond: [] }
    : { within: terms.slice(0, count), beyond: terms.slice(count) };
}

/** Adds what the terms count to the scores of the chunks that hold them, or of the candidates only. */
async function addScores(
  transaction: ChunkTransaction,
  collection: CollectionRow,
  terms: readonly Term[],
  scores: Map<number, number>,
  { allowed, candidates }: { allowed: Allowed; candidates?: ReadonlySet<number> },
): Promise<void> {
  const { chunks, postings } = tablesOf(collection.number);
  const averageLength = weighted(averageLengths(collection));
  const ofCandidates =
    candidates === undefined
      ? sql`true`
      : sql`postings.edition in (select edition from ${chunks} where id = any(${[...candidates]}::integer[]))`;
  // One term after the other, so that neither the database nor this thread is kept for long.
  for (const { term, holding } of terms) {
    const { rows } = await sql<{ postings: Buffer | null }>`
      select string_agg(postings.postings, ''::bytea) as postings
      from ${postings} as postings
      join ${editionTable} as editions on editions.number = postings.edition and editions.state = 'published'
      where postings.term = ${term} and ${allowsEdition(sql.ref('postings.edition'), allowed)} and ${ofCandidates}`.execute(
      transaction,
    );
    const found = rows[0]?.postings ?? null;
    if (found === null) continue;
    const weight = termWeight(term, collection.chunks, holding);
    for (const { chunk, frequencies, lengths } of readPostings(found)) {
      if (candidates !== undefined && !candidates.has(chunk)) continue;
      const score = termScore(weight, weighted(frequencies), weighted(lengths), averageLength);
      scores.set(chunk, (scores.get(chunk) ?? 0) + score);
    }
    await nextTurn();
  }
}

function averageLengths({ chunks, title_terms, heading_terms, body_terms }: CollectionRow): FieldCounts {
  return { title: title_terms / chunks, headings: heading_terms / chunks, body: body_terms / chunks };
}

/** Leaves the best that stand on pages that are asked for. */
async function removeOtherPages(
  transaction: ChunkTransaction,
  { number }: CollectionRow,
  scores: Map<number, number>,
  limit: number,
  allowed: Allowed,
): Promise<void> {
  const ranked = bestHits(scores, scores.size).map(({ id }) => Number(id));
  const kept = new Set<number>();
  for (let from = 0; from < ranked.length && kept.size < limit; from += pageBatch) {
    const { rows } = await sql<{ id: number }>`
      select id from ${tablesOf(number).chunks} as chunks
      where id = any(${ranked.slice(from, from + pageBatch)}::integer[]) and ${allowsChunk('chunks', allowed)}`.execute(
      transaction,
    );
    for (const { id } of rows) kept.add(id);
  }
  for (const chunk of scores.keys()) if (!kept.has(chunk)) scores.delete(chunk);
}
