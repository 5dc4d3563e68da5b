import { setTimeout as wait } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import { elapsed } from '../../lib/elapsed.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database } from '../database.ts';
import { InUseError } from '../in-use-error.ts';
import type { PostgresKysely } from '../postgres-database.ts';
import { type Beat, beatTiming } from './liveness.ts';
import { endReplica } from './replica-rows.ts';
import { endSessionsOf } from './replica-statements.ts';

/** A killed process of an earlier version keeps its lock until the server notices, milliseconds. */
const lockPatience = 5000;

/**
 * Makes sure that no other replica works on a PostgreSQL database. Those whose beat moves live; one that was killed is only
 * known by its beat standing still, which takes as long as for any replica, and is then ended.
 * @param folder whose replicas cannot live, since this process has locked it
 * @throws InUseError while another one lives
 */
export async function requireUnused(database: PostgresKysely, folder: string): Promise<void> {
  await requireNoEarlierVersion(database);
  const { rows } = await sql<object>`select 1 as found where to_regclass('replicas') is not null`.execute(database);
  if (rows.length === 0) return;
  const first = await living(database, folder);
  const begun = elapsed();
  while (elapsed() - begun < beatTiming.dead && first.length > 0) {
    await wait(beatTiming.retry);
    const present = await living(database, folder);
    if (present.length === 0) return;
    if (present.some(({ id, beat }) => !first.some((known) => known.id === id && known.beat === beat))) {
      throw inUseError();
    }
  }
  const isDirect = await database.isDirect();
  for (const dead of first) {
    // A pooler may have given their sessions to others. It ends those that are idle in a transaction itself.
    if (isDirect) await database.executeQuery(CompiledQuery.raw(endSessionsOf, [dead.id, dead.beat]));
    await database.transaction().execute((transaction) => endReplica(transaction, dead, null));
  }
}

/** Whether no replica of another data folder lives, as far as is known. */
export async function isUnused(database: Database, folder: string): Promise<boolean> {
  return (await living(database, folder)).length === 0;
}

/** Versions before there were replicas are known by a lock only. */
export async function requireNoEarlierVersion(database: Database): Promise<void> {
  const begun = elapsed();
  for (;;) {
    const { rows } = await sql<{ is_free: boolean }>`
      select pg_try_advisory_xact_lock(${advisoryLocks.database}) as is_free`.execute(database);
    if (rows[0]?.is_free === true) return;
    if (elapsed() - begun >= lockPatience) throw inUseError();
    await wait(beatTiming.retry);
  }
}

export function inUseError(): InUseError {
  return new InUseError('The database is in use by another Parley process');
}

async function living(database: Database, folder: string): Promise<Beat[]> {
  return await database
    .selectFrom('replicas')
    .select(['id', 'beat'])
    .where('state', '<>', 'ended')
    .where('folder', '<>', folder)
    .execute();
}
