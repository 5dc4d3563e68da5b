import { sql } from 'kysely';
import { type ChunkDatabase, embeddingCacheTable } from './chunk-tables.ts';

/** Size limits of the embedding cache. */
export interface EmbeddingCacheLimit {
  count: number;
  /** Total size, estimated from the vectors that were stored last. */
  bytes: number;
}

/** Rows that are read, written or deleted by one statement. */
const batch = 500;

/**
 * Embeddings by text hash, independent of their chunks. Needs no extension. Evicts approximately the least recently
 * used: a hit refreshes only entries in the older half.
 */
export class EmbeddingCache {
  readonly #database: ChunkDatabase;
  readonly #limit: EmbeddingCacheLimit;

  constructor(database: ChunkDatabase, limit: EmbeddingCacheLimit) {
    this.#database = database;
    this.#limit = limit;
  }

  async find(model: string, hashes: readonly string[]): Promise<(Float32Array | null)[]> {
    const found = new Map<string, Float32Array>();
    const wanted = [...new Set(hashes)];
    for (let from = 0; from < wanted.length; from += batch) {
      const rows = await this.#database
        .selectFrom('kept_vectors')
        .select(['hash', 'vector'])
        .where('model', '=', model)
        .where('hash', 'in', wanted.slice(from, from + batch))
        .execute();
      for (const { hash, vector } of rows) found.set(hash, new Float32Array(new Uint8Array(vector).buffer));
      await this.#renew(model, rows);
    }
    return hashes.map((hash) => found.get(hash) ?? null);
  }

  async keep(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void> {
    const byHash = new Map(vectors.map(({ hash, vector }) => [hash, bytesOf(vector)]));
    // In a fixed order, to avoid deadlocks.
    const rows = [...byHash].map(([hash, vector]) => ({ model, hash, vector }));
    rows.sort((one, other) => (one.hash < other.hash ? -1 : 1));
    for (let from = 0; from < rows.length; from += batch) {
      await this.#database
        .insertInto('kept_vectors')
        .values(rows.slice(from, from + batch))
        .onConflict((conflict) =>
          conflict.columns(['model', 'hash']).doUpdateSet({
            vector: ({ ref }) => ref('excluded.vector'),
            position: sql<number>`default`,
          }),
        )
        .execute();
    }
    if (rows.length > 0) await this.#removeOldest(this.#countOf(rows));
  }

  /** How many of these there may be. */
  #countOf(rows: readonly { vector: Uint8Array }[]): number {
    const longest = rows.reduce((most, { vector }) => Math.max(most, vector.length), 1);
    return Math.max(1, Math.min(this.#limit.count, Math.floor(this.#limit.bytes / longest)));
  }

  async #renew(model: string, rows: readonly { hash: string; vector: Uint8Array }[]): Promise<void> {
    if (rows.length === 0) return;
    await sql`
      update ${embeddingCacheTable} set position = default where position in (
        select position from ${embeddingCacheTable}
        where model = ${model} and hash = any(${rows.map(({ hash }) => hash)}::text[])
          and position <= (select max(position) from ${embeddingCacheTable}) - ${Math.ceil(this.#countOf(rows) / 2)}::bigint
        for update skip locked
      )`.execute(this.#database);
  }

  async #removeOldest(count: number): Promise<void> {
    while (true) {
      const { numAffectedRows } = await sql`
        delete from ${embeddingCacheTable} where position in (
          select position from ${embeddingCacheTable}
          where position <= (select max(position) from ${embeddingCacheTable}) - ${count}::bigint
          order by position limit ${batch} for update skip locked
        )`.execute(this.#database);
      if (Number(numAffectedRows ?? 0) < batch) return;
    }
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
