import { invalidFields, ParleyError } from '@parley/sdk';

/** Longest text for a model, characters; more than any model reads. */
const longestText = 24_000;
/** Statuses of providers for calls that are too large, or have too many texts. */
const sizeStatuses = new Set([400, 413, 422]);

/**
 * Texts as providers take them: well-formed, and not too long.
 * @throws ParleyError `invalid_request` when one is empty
 */
export function storableTexts(texts: readonly string[]): { valid: string[] /** How many were cut. */; cut: number } {
  const empty = texts.flatMap((text, place) =>
    text.trim() === '' ? [{ path: `texts[${place}]`, message: 'is empty' }] : [],
  );
  if (empty.length > 0) throw invalidFields(empty.slice(0, 20));
  return {
    valid: texts.map((text) =>
      (text.length <= longestText ? text : text.slice(0, longestText).replace(/[\ud800-\udbff]$/, '')).toWellFormed(),
    ),
    cut: texts.filter(({ length }) => length > longestText).length,
  };
}

/** @throws ParleyError `provider_failed` unless there is a vector of numbers for each text, all of one length */
export function checkedVectors(embeddings: unknown, count: number): Float32Array[] {
  if (!Array.isArray(embeddings) || embeddings.length !== count) {
    const given = Array.isArray(embeddings) ? embeddings.length : 0;
    throw new ParleyError('provider_failed', `The model gave ${given} vectors for ${count} texts.`);
  }
  const vectors = embeddings.map((embedding: unknown) => {
    if (!Array.isArray(embedding) || embedding.length === 0) {
      throw new ParleyError('provider_failed', 'The model gave an empty vector.');
    }
    const vector = Float32Array.from(embedding as number[]);
    if (!embedding.every((value) => typeof value === 'number') || !vector.every(Number.isFinite)) {
      throw new ParleyError('provider_failed', 'The model gave a vector with something in it that is no number.');
    }
    return vector;
  });
  if (new Set(vectors.map(({ length }) => length)).size > 1) {
    throw new ParleyError('provider_failed', 'The model gave vectors of different lengths.');
  }
  return vectors;
}

/** @throws ParleyError `provider_failed` unless each place is one of the texts, once, with a number */
export function checkedRanking(
  ranking: readonly { index: number; relevanceScore: number }[],
  count: number,
): { index: number; score: number }[] {
  const isSound = ranking.every(
    ({ index, relevanceScore }) =>
      Number.isInteger(index) && index >= 0 && index < count && Number.isFinite(relevanceScore),
  );
  if (!isSound || new Set(ranking.map(({ index }) => index)).size < ranking.length) {
    throw new ParleyError('provider_failed', 'The rerank model gave an order that does not fit the texts.');
  }
  return ranking
    .map(({ index, relevanceScore }) => ({ index, score: relevanceScore }))
    .sort((left, right) => right.score - left.score);
}

/** Whether a provider may take the same texts in smaller calls. */
export function isRefusedForSize(error: unknown): boolean {
  const status =
    typeof error === 'object' && error !== null ? (error as { statusCode?: unknown }).statusCode : undefined;
  return typeof status === 'number' && sizeStatuses.has(status);
}
