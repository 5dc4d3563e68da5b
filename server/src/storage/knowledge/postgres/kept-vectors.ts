import { sql } from 'kysely';
import { type ChunkDatabase, keptVectorTable } from './chunk-tables.ts';

/** Rows that are read, written or deleted by one statement. */
const batch = 500;

/** Vectors that were made before, whatever became of the chunks they were made for. They need no extension. */
export class KeptVectors {
  readonly #database: ChunkDatabase;
  readonly #limit: number;

  /** @param limit how many are kept, at most */
  constructor(database: ChunkDatabase, limit: number) {
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
    }
    return hashes.map((hash) => found.get(hash) ?? null);
  }

  async keep(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void> {
    const byHash = new Map(vectors.map(({ hash, vector }) => [hash, vector]));
    // In one order for everybody, so that nobody waits for somebody who waits for him.
    const hashes = [...byHash.keys()].sort();
    for (let from = 0; from < hashes.length; from += batch) {
      const rows = hashes.slice(from, from + batch).map((hash) => ({
        model,
        hash,
        vector: bytesOf(byHash.get(hash) as Float32Array),
      }));
      await this.#database
        .insertInto('kept_vectors')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['model', 'hash']).doUpdateSet({
            vector: ({ ref }) => ref('excluded.vector'),
            position: sql<number>`default`,
          }),
        )
        .execute();
    }
    if (hashes.length > 0) await this.#removeOldest();
  }

  async #removeOldest(): Promise<void> {
    while (true) {
      const { numAffectedRows } = await sql`
        delete from ${keptVectorTable} where position in (
          select position from ${keptVectorTable}
          where position <= (select max(position) from ${keptVectorTable}) - ${this.#limit}::bigint
          order by position limit ${batch}
        )`.execute(this.#database);
      if (Number(numAffectedRows ?? 0) < batch) return;
    }
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
