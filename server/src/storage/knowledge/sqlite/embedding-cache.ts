import type { EmbeddingCacheLimit } from './chunk-database-options.ts';
import { bytesOf, floats, type KnowledgeFile } from './knowledge-file.ts';
import { type Pieces, pieceMs } from './work-queue.ts';

/** A hit within this time, seconds, does not update the last use. */
const sameUse = 3600;

/** Embeddings by text hash; evicts the least recently used. */
export class EmbeddingCache {
  readonly #file: KnowledgeFile;
  readonly #limit: EmbeddingCacheLimit;
  /** How many there are and their bytes; null before they were counted. */
  #size: { count: number; bytes: number } | null = null;

  constructor(file: KnowledgeFile, limit: EmbeddingCacheLimit) {
    this.#file = file;
    this.#limit = limit;
  }

  get isOver(): boolean {
    const { count, bytes } = this.#counted();
    return count > this.#limit.count || bytes > this.#limit.bytes;
  }

  find(model: string, hashes: readonly string[]): (Float32Array | null)[] {
    const now = seconds();
    const stale: number[] = [];
    const vectors = hashes.map((hash) => {
      const row = this.#file.get<[number, Uint8Array, number]>(
        'select id, vector, used_at from kept_vectors where model = ? and hash = ?',
        model,
        hash,
      );
      if (row === undefined) return null;
      if (row[2] < now - sameUse) stale.push(row[0]);
      return floats(row[1]);
    });
    if (stale.length > 0) {
      this.#file.transaction(() => {
        for (const id of stale) this.#file.run('update kept_vectors set used_at = ? where id = ?', now, id);
      });
    }
    return vectors;
  }

  *keep(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Pieces<void> {
    let next = 0;
    while (next < vectors.length) {
      const size = { ...this.#counted() };
      next = this.#file.transaction(() => {
        const until = performance.now() + pieceMs;
        let index = next;
        for (; index < vectors.length && (index === next || performance.now() < until); index++) {
          const { hash, vector } = vectors[index] as { hash: string; vector: Float32Array };
          this.#put(model, hash, vector, size);
        }
        return index;
      });
      this.#size = size;
      yield;
    }
  }

  /** Removes the oldest until a little less than the limit is left. */
  *shrink(): Pieces<void> {
    while (true) {
      const size = { ...this.#counted() };
      if (size.count <= this.#limit.count * 0.95 && size.bytes <= this.#limit.bytes * 0.95) return;
      const removed = this.#file.transaction(() => {
        const rows = this.#file.all<[number, number]>(
          'select id, bytes from kept_vectors order by used_at, bytes limit 50',
        );
        for (const [id, bytes] of rows) {
          this.#file.run('delete from kept_vectors where id = ?', id);
          size.count -= 1;
          size.bytes -= bytes;
        }
        return rows.length;
      });
      if (removed === 0) return;
      this.#size = size;
      yield;
    }
  }

  #put(model: string, hash: string, vector: Float32Array, size: { count: number; bytes: number }): void {
    const bytes = vector.byteLength;
    const old = this.#file.get<[number, number]>(
      'select id, bytes from kept_vectors where model = ? and hash = ?',
      model,
      hash,
    );
    if (old === undefined) {
      this.#file.run(
        'insert into kept_vectors (model, hash, vector, bytes, used_at) values (?, ?, ?, ?, ?)',
        model,
        hash,
        bytesOf(vector),
        bytes,
        seconds(),
      );
      size.count += 1;
      size.bytes += bytes;
      return;
    }
    this.#file.run(
      'update kept_vectors set vector = ?, bytes = ?, used_at = ? where id = ?',
      bytesOf(vector),
      bytes,
      seconds(),
      old[0],
    );
    size.bytes += bytes - old[1];
  }

  #counted(): { count: number; bytes: number } {
    if (this.#size === null) {
      const row = this.#file.get<[number, number]>('select count(*), coalesce(sum(bytes), 0) from kept_vectors');
      this.#size = { count: row?.[0] ?? 0, bytes: row?.[1] ?? 0 };
    }
    return this.#size;
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
