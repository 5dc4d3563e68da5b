import { ParleyError } from '@parley/sdk';
import type { ChunkHit } from '@parley/sdk/internal';
import { highest } from './best.ts';
import type { Allowed, ChunkTable } from './chunk-table.ts';
import { bytesOf, type KnowledgeFile } from './knowledge-file.ts';
import { wordsFor, writeSignCode } from './sign-codes.ts';

// Indexes are below the lengths: with `as number`, reads of arrays cost no check.

/** How many vectors of a large collection are compared exactly: one of two hundred, but not fewer than these. */
const leastCandidates = 500;

/**
 * A vector of length 1 and the same direction.
 * @throws ParleyError `invalid_request` when it has no direction
 */
export function normalised(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (length === 0 || !Number.isFinite(length)) {
    throw new ParleyError('invalid_request', 'A vector is all zeros or contains a number that is not finite');
  }
  return vector.map((value) => value / length);
}

/** @throws ParleyError `vector_dimensions` */
export function checkDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return;
  throw new ParleyError(
    'vector_dimensions',
    `The embedding model returned a vector of ${vector.length} numbers; the stored ones have ${dimensions}`,
  );
}

/**
 * Ranks chunks by cosine similarity. Exact while vectors have no codes, so in small collections; with codes, only the
 * nearest by their codes are compared exactly.
 * @param vector of length 1
 * @param centre that codes are computed against; null for exact comparison with all
 */
export function searchByVector(
  file: KnowledgeFile,
  number: number,
  table: ChunkTable,
  vector: Float32Array,
  centre: Float32Array | null,
  allowed: Allowed,
  limit: number,
): ChunkHit[] {
  if (limit <= 0 || table.vectorCount === 0) return [];
  let code: Int32Array | null = null;
  if (centre !== null) {
    code = new Int32Array(wordsFor(vector.length));
    writeSignCode(vector, centre, code, 0);
  }
  const count = Math.max(leastCandidates, limit * 5, Math.ceil(table.vectorCount / 200));
  const slots = table.candidates(code, count, allowed);
  const ids = slots.map((slot) => table.idOf(slot));
  const similarities = compare(file, number, table.vectorCount, ids, vector);
  return highest(similarities, limit)
    .filter((place) => similarities[place] !== Number.NEGATIVE_INFINITY)
    .map((place) => ({ id: String(ids[place]), score: similarities[place] as number }));
}

/**
 * Cosine similarities of stored vectors to one.
 * @param ids ascending
 */
function compare(
  file: KnowledgeFile,
  number: number,
  all: number,
  ids: readonly number[],
  vector: Float32Array,
): Float64Array {
  const similarities = new Float64Array(ids.length).fill(Number.NEGATIVE_INFINITY);
  const wanted = bytesOf(vector);
  // Reading all in their order is quicker than looking up many.
  const rows =
    ids.length * 3 > all
      ? file.iterate<[number, number]>(
          `select id, vec_distance_l2(vector, ?) from vectors_${number} order by id`,
          wanted,
        )
      : file.iterate<[number, number]>(
          `select vectors.id, vec_distance_l2(vectors.vector, ?)
           from json_each(?) as wanted cross join vectors_${number} as vectors on vectors.id = wanted.value`,
          wanted,
          JSON.stringify(ids),
        );
  let place = 0;
  for (const [id, distance] of rows) {
    while (place < ids.length && (ids[place] as number) < id) place += 1;
    // Both are of length 1.
    if (ids[place] === id) similarities[place] = Math.max(-1, 1 - (distance * distance) / 2);
  }
  return similarities;
}
