import { type RawBuilder, type ReferenceExpression, sql, type Transaction } from 'kysely';
import { now } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import type { Beat } from './liveness.ts';

/** What a replica left behind is ended, or queued again. */
export interface TakesOver {
  /** Takes over the rows that no living replica works on. They may be those of several. */
  takeOver(transaction: Transaction<Tables>): Promise<unknown>;
}

/**
 * Whether no living replica works on a row that is being worked on.
 * @param column where the row names its replica, such as `tasks.claimed_by`
 */
export function isAbandoned<Table extends keyof Tables>(
  column: ReferenceExpression<Tables, Table> & string,
): RawBuilder<boolean> {
  const replica = sql.ref(column);
  return sql`(${replica} is null or ${replica} not in (select id from replicas where state <> 'ended'))`;
}

/** Ids of the replicas that live, as far as is known. */
export async function livingReplicas(database: Database): Promise<Set<string>> {
  const rows = await database.selectFrom('replicas').select('id').where('state', '!=', 'ended').execute();
  return new Set(rows.map(({ id }) => id));
}

/** A start of the service, as it is entered. */
export interface NewReplica {
  id: string;
  /** Names its data folder. */
  folder: string;
  /** Of the program. */
  version: string;
  /** Name of the last migration that the program knows. */
  schema: string;
}

/** Enters this start of the service, the only one that works on the database. */
export async function enterOnly(database: Database, { id, folder, version, schema }: NewReplica): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('replicas')
      .set({ state: 'ended', ended_at: now(), ended_by: id })
      .where('state', '<>', 'ended')
      .execute();
    await transaction
      .insertInto('replicas')
      .values({
        id,
        folder,
        version,
        address: null,
        state: 'live',
        beat: 1,
        started_at: now(),
        ended_at: null,
        ended_by: null,
        schema,
      })
      .execute();
  });
}

/**
 * Ends a replica that is dead, and frees its leases. On PostgreSQL.
 * @param by the id of the one that takes its work over, null for the command line
 * @returns false when it has beaten since, or another process has ended it or is about to
 */
export async function endReplica(
  transaction: Transaction<Tables>,
  { id, beat }: Beat,
  by: string | null,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('replicas')
    .select('id')
    .where('id', '=', id)
    .where('beat', '=', beat)
    .where('state', '<>', 'ended')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return false;
  await transaction
    .updateTable('replicas')
    .set({ state: 'ended', ended_at: now(), ended_by: by })
    .where('id', '=', id)
    .execute();
  await transaction.updateTable('leases').set({ replica: null }).where('replica', '=', id).execute();
  return true;
}
