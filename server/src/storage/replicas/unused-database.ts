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

/** A living replica, as far as is known. */
interface Living extends Beat {
  /** Name of the last migration that its program knows; null for versions that did not say so. */
  schema: string | null;
}

/**
 * Makes sure that no other replica works on a PostgreSQL database. Those whose beat moves live; one that was killed is only
 * known by its beat standing still, which takes as long as for any replica, and is then ended.
 * @param folder whose replicas cannot live, since this process has locked it; null for none
 * @throws InUseError while another one lives
 */
export async function requireUnused(database: PostgresKysely, folder: string | null): Promise<void> {
  await requireNoEarlierVersion(database);
  if (!(await hasReplicas(database))) return;
  await endDead(database, await standingStill(() => living(database, folder)));
}

async function endDead(database: PostgresKysely, dead: readonly Living[]): Promise<void> {
  const isDirect = await database.isDirect();
  for (const one of dead) {
    // A pooler may have given their sessions to others. It ends those that are idle in a transaction itself.
    if (isDirect) await database.executeQuery(CompiledQuery.raw(endSessionsOf, [one.id, one.beat]));
    await database.transaction().execute((transaction) => endReplica(transaction, one, null));
  }
}

/**
 * Waits until no living replica is left of those that are meant. What dead ones worked on is for living ones to take over; when
 * there are none, the dead ones are ended.
 * @throws InUseError while one of them lives
 */
export async function requireNone(
  database: PostgresKysely,
  isMeant: (replica: Pick<Living, 'schema'>) => boolean,
): Promise<void> {
  await requireNoEarlierVersion(database);
  const meant = async () => (await living(database, null)).filter(isMeant);
  const dead = await standingStill(meant);
  if (dead.length === 0) return;
  // One that has started since has another id, and is not ended.
  if ((await living(database, null)).every(isMeant)) await endDead(database, dead);
  const begun = elapsed();
  while ((await meant()).length > 0) {
    if (elapsed() - begun > beatTiming.dead) throw inUseError();
    await wait(beatTiming.retry);
  }
}

/** @returns those of which no beat moved for as long as it takes until a replica is dead; none when all have left */
async function standingStill(read: () => Promise<Living[]>): Promise<Living[]> {
  const first = await read();
  const begun = elapsed();
  while (first.length > 0 && elapsed() - begun < beatTiming.dead) {
    await wait(beatTiming.retry);
    const present = await read();
    if (present.length === 0) return [];
    if (present.some(({ id, beat }) => !first.some((known) => known.id === id && known.beat === beat))) {
      throw inUseError();
    }
  }
  return first;
}

/** Whether no replica of another data folder lives, as far as is known. */
export async function isUnused(database: Database, folder: string): Promise<boolean> {
  return (await living(database, folder)).length === 0;
}

/** What programs of living replicas know of the tables, as far as is known. */
export async function livingSchemas(database: Database): Promise<Pick<Living, 'schema'>[]> {
  return await living(database, null);
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

async function hasReplicas(database: Database): Promise<boolean> {
  const { rows } = await sql<object>`select 1 as found where to_regclass('replicas') is not null`.execute(database);
  return rows.length > 0;
}

/** @param folder that is left out */
async function living(database: Database, folder: string | null): Promise<Living[]> {
  return await database
    .selectFrom('replicas')
    .select(['id', 'beat', 'schema'])
    .where('state', '<>', 'ended')
    .$if(folder !== null, (query) => query.where('folder', '<>', folder))
    .execute();
}
