import { type Collection, ParleyError, type Reason, type RetrievedPassage, type RetrieveRequest } from '@parley/sdk';
import type { ChunkHit, InternalEngineContext, StoredChunk } from '@parley/sdk/internal';
import { passagesOf } from './passages.ts';
import { fused, type RankedChunk, reranked } from './ranking.ts';
import type { CreationSettings, RetrievalSettings } from './settings.ts';

/** Minimum number of hits per search, and of chunks for a rerank model. */
const fewestHits = 50;
const rerankedHits = 50;

/** Why the index cannot be searched by a vector. */
const vectorReasons: readonly Reason[] = ['vector_dimensions', 'vectors_unavailable'];

/** Steps that were skipped, and why. */
type Notes = { keyword_only?: Reason; not_reranked?: Reason };

interface Found {
  keyword: ChunkHit[];
  vector: ChunkHit[];
}

/**
 * Finds passages. A failed model does not prevent keyword results; skipped steps are in the `metadata` of each passage:
 * `keyword_only` and `not_reranked` with the reason.
 */
export async function retrieve(
  request: RetrieveRequest,
  settings: CreationSettings,
  context: InternalEngineContext,
): Promise<RetrievedPassage[]> {
  const { collection, query, signal } = request;
  const { collection_id } = collection;
  const { top_k, search_type, vector_weight, rerank_model_uuid, neighbours, score_threshold } =
    request.settings as RetrievalSettings;
  signal.throwIfAborted();
  if (query.trim() === '') return [];

  const notes: Notes = {};
  const vector = search_type === 'keyword' ? null : await vectorOf(request, settings, context, notes);
  const read = (ids: readonly string[]) => context.chunks.read(collection_id, ids);
  const list = (documentId: string, page: { from: number; limit: number }) =>
    context.chunks.list(collection_id, documentId, page);
  for (let attempts = 1; ; attempts += 1) {
    const found = await search(request, vector, context, notes);
    signal.throwIfAborted();
    const ranked = fused(found.keyword, found.vector, vector_weight);
    const ordered = rerank_model_uuid === '' ? ranked : await rerank(ranked, read, request, context, notes);
    const enough = ordered.filter(({ score }) => score >= score_threshold);
    const { passages, isStale } = await passagesOf(enough, { read, list, top_k, neighbours, notes });
    signal.throwIfAborted();
    // A document that was replaced between the search and the reading is found in its new edition.
    if (!isStale || attempts === 2) return passages;
  }
}

/** The query as a vector; null for keyword search only. */
async function vectorOf(
  { collection, query, signal, asked_by }: RetrieveRequest,
  { embedding_model_uuid }: CreationSettings,
  context: InternalEngineContext,
  notes: Notes,
): Promise<Float32Array | null> {
  if (embedding_model_uuid === '') return null;
  const { knowledge_base_uuid } = collection;
  const asker = asked_by === undefined ? {} : { asked_by };
  try {
    const options = { knowledge_base_uuid, purpose: 'query', signal, ...asker } as const;
    const [vector] = await context.embed(embedding_model_uuid, [query], options);
    return vector ?? null;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ParleyError)) throw error;
    doWithoutMeaning(error, collection, context, notes);
    return null;
  }
}

async function search(
  { collection, query, filters, settings }: RetrieveRequest,
  vector: Float32Array | null,
  context: InternalEngineContext,
  notes: Notes,
): Promise<Found> {
  const { collection_id } = collection;
  const { top_k, search_type } = settings as RetrievalSettings;
  const limits = { limit: Math.max(fewestHits, 4 * top_k), filters };
  const byWords = { text: query, ...limits };
  if (vector === null) return context.chunks.search(collection_id, byWords);
  try {
    return await context.chunks.search(collection_id, {
      ...(search_type === 'hybrid' ? byWords : limits),
      vector,
    });
  } catch (error) {
    if (!(error instanceof ParleyError) || !vectorReasons.includes(error.reason)) throw error;
    doWithoutMeaning(error, collection, context, notes);
    return context.chunks.search(collection_id, byWords);
  }
}

function doWithoutMeaning(
  error: ParleyError,
  { knowledge_base_uuid }: Collection,
  { logger }: InternalEngineContext,
  notes: Notes,
): void {
  notes.keyword_only = error.reason;
  const message = 'searching a knowledge base by keywords only because semantic search failed';
  logger.warn({ err: error, knowledge_base_uuid, reason: error.reason }, message);
}

async function rerank(
  ranked: readonly RankedChunk[],
  read: (ids: readonly string[]) => Promise<StoredChunk[]>,
  { query, collection, settings, signal }: RetrieveRequest,
  context: InternalEngineContext,
  notes: Notes,
): Promise<readonly RankedChunk[]> {
  const { rerank_model_uuid } = settings as RetrievalSettings;
  const best = ranked.slice(0, rerankedHits);
  const texts = new Map((await read(best.map(({ id }) => id))).map(({ id, text }) => [id, text]));
  const candidates = best.filter(({ id }) => texts.has(id));
  if (candidates.length === 0) return ranked;
  try {
    const documents = candidates.map(({ id }) => texts.get(id) ?? '');
    const limit = documents.length;
    const ranking = await context.rerank(rerank_model_uuid, query, documents, { limit, signal });
    // Those that are gone stay, to be noticed.
    const gone = best.filter(({ id }) => !texts.has(id)).map((chunk) => ({ ...chunk, score: 0 }));
    return [...reranked(candidates, ranking), ...gone];
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ParleyError)) throw error;
    notes.not_reranked = error.reason;
    const { knowledge_base_uuid } = collection;
    const message = 'results of a knowledge base are not reranked because the rerank model failed';
    context.logger.warn({ err: error, knowledge_base_uuid, reason: error.reason }, message);
    return ranked;
  }
}
