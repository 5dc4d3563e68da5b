import { sql } from 'kysely';
import { WorkerLoop } from '../../../lib/worker-loop.ts';
import { type ChunkDatabase, removeCollectionTables, tablesOf } from './chunk-tables.ts';
import { isMissingTable } from './database-faults.ts';

/** Rows that are deleted by one statement. */
const batch = 1000;
const retryDelayMs = 10_000;

/** Deletes dropped, replaced and removed data, which is hidden already, in batches. */
export class ChunkPurge {
  readonly #database: ChunkDatabase;
  readonly #loop: WorkerLoop;

  /** @param failed receives errors of deletions, which are retried */
  constructor(database: ChunkDatabase, failed: (error: unknown) => void) {
    this.#database = database;
    this.#loop = new WorkerLoop(() => this.#purge(), { failed, retryDelayMs });
  }

  start(): void {
    this.#loop.start();
  }

  /** There is something to delete. */
  wake(): void {
    this.#loop.wake();
  }

  /** Waits for the current batch. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #purge(): Promise<null> {
    const dropped = await this.#database
      .selectFrom('collections')
      .select('number')
      .where('collection_id', 'is', null)
      .execute();
    for (const { number } of dropped) {
      if (this.#loop.isStopped) return null;
      await removeCollectionTables(this.#database, number);
    }
    while (!this.#loop.isStopped) {
      const edition = await this.#database
        .selectFrom('editions')
        .select(['number', 'collection'])
        .where('state', '=', 'retired')
        .orderBy('number')
        .limit(1)
        .executeTakeFirst();
      if (edition === undefined) break;
      await this.#purgeEdition(edition);
    }
    return null;
  }

  async #purgeEdition({ number, collection }: { number: number; collection: number }): Promise<void> {
    const { chunks, postings, vectors } = tablesOf(collection);
    for (const table of [vectors, postings, chunks]) {
      let count = batch;
      while (count === batch) {
        if (this.#loop.isStopped) return;
        count = await this.#deleteSome(table, number);
      }
    }
    await this.#database.deleteFrom('editions').where('number', '=', number).execute();
  }

  /** @returns how many rows were deleted */
  async #deleteSome(table: ReturnType<typeof sql.table>, edition: number): Promise<number> {
    try {
      const { numAffectedRows } = await sql`
        delete from ${table} where ctid = any(array(select ctid from ${table} where edition = ${edition} limit ${batch}))
      `.execute(this.#database);
      return Number(numAffectedRows ?? 0);
    } catch (error) {
      // It never had vectors, or the collection has been dropped.
      if (isMissingTable(error)) return 0;
      throw error;
    }
  }
}
