import { sql } from 'kysely';
import { WorkerLoop } from '../../../lib/worker-loop.ts';
import { type ChunkDatabase, removeCollectionTables, tablesOf } from './chunk-tables.ts';
import { isMissingTable } from './database-faults.ts';

/** Rows that are deleted by one statement. */
const batch = 1000;
const retryDelayMs = 10_000;

/**
 * Deletes dropped, replaced and removed data, which is hidden already, in batches.
 * @param failed receives errors of deletions, which are retried
 */
export function createChunkPurge(database: ChunkDatabase, failed: (error: unknown) => void): WorkerLoop {
  return new WorkerLoop({
    async look(loop) {
      const dropped = await database
        .selectFrom('collections')
        .select('number')
        .where('collection_id', 'is', null)
        .execute();
      for (const { number } of dropped) {
        if (loop.isStopped) return null;
        await removeCollectionTables(database, number);
      }
      while (!loop.isStopped) {
        const edition = await database
          .selectFrom('editions')
          .select(['number', 'collection'])
          .where('state', '=', 'retired')
          .orderBy('number')
          .limit(1)
          .executeTakeFirst();
        if (edition === undefined) break;
        await purgeEdition(database, edition, loop);
      }
      return null;
    },
    failed,
    retryDelayMs,
  });
}

async function purgeEdition(
  database: ChunkDatabase,
  { number, collection }: { number: number; collection: number },
  loop: WorkerLoop,
): Promise<void> {
  const { chunks, postings, vectors } = tablesOf(collection);
  for (const table of [vectors, postings, chunks]) {
    let count = batch;
    while (count === batch) {
      if (loop.isStopped) return;
      count = await deleteSome(database, table, number);
    }
  }
  await database.deleteFrom('editions').where('number', '=', number).execute();
}

/** @returns how many rows were deleted */
async function deleteSome(
  database: ChunkDatabase,
  table: ReturnType<typeof sql.table>,
  edition: number,
): Promise<number> {
  try {
    const { numAffectedRows } = await sql`
      delete from ${table} where ctid = any(array(select ctid from ${table} where edition = ${edition} limit ${batch}))
    `.execute(database);
    return Number(numAffectedRows ?? 0);
  } catch (error) {
    // It never had vectors, or the collection has been dropped.
    if (isMissingTable(error)) return 0;
    throw error;
  }
}
